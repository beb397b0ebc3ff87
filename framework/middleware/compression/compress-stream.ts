// Compression: compresses a streamed body chunk by chunk, without delaying the chunks of a slow producer.
import type { BrotliCompress, Gzip } from 'node:zlib';
import { type Chunks, readChunks } from '../../http/chunks.js';
import { writable } from '../../streaming/writable.js';

type Encoder = BrotliCompress | Gzip;

/**
 * Compresses a stream chunk by chunk, with back-pressure. If the consumer cancels, the producer is stopped at once.
 * When the producer pauses, the encoder is flushed, so that the chunks of a slow stream arrive without delay.
 */
export function compressStream(
  source: AsyncIterable<Uint8Array | string>,
  encoder: Encoder,
): ReadableStream<Uint8Array> {
  const chunks = readChunks(source);
  const output: AsyncIterator<Uint8Array> = encoder[Symbol.asyncIterator]();
  let isFed = false;
  let failure: { readonly error: unknown } | undefined;
  const failed = (error: unknown): void => {
    failure = { error };
    encoder.destroy(new Error('the stream failed'));
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (!isFed) {
          isFed = true;
          void feed(chunks, encoder, failed);
        }
        try {
          const { done, value } = await output.next();
          if (done) controller.close();
          else controller.enqueue(value);
        } catch (error) {
          throw failure === undefined ? error : failure.error;
        }
      },
      cancel() {
        chunks.end();
        encoder.destroy();
      },
    },
    { highWaterMark: 0 },
  );
}

/**
 * Never rejects: an error of the producer destroys the encoder, so that the consumer gets the error. It may be anything,
 * and the encoder takes errors alone.
 */
async function feed(
  chunks: Chunks<Uint8Array | string>,
  encoder: Encoder,
  failed: (error: unknown) => void,
): Promise<void> {
  let pause: NodeJS.Immediate | undefined;
  try {
    for (;;) {
      const { done, value } = await chunks.next();
      clearImmediate(pause);
      if (done || encoder.destroyed) break;
      if (!encoder.write(value)) await writable(encoder);
      pause = setImmediate(() => {
        if (!encoder.destroyed && !encoder.writableEnded) encoder.flush();
      });
    }
    if (!encoder.destroyed) encoder.end();
  } catch (error) {
    clearImmediate(pause);
    failed(error);
  }
}
