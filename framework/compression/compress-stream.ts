// Compression: a streamed body, compressed as it comes, without holding back what a slow producer has given.
import type { BrotliCompress, Gzip } from 'node:zlib';
import { type Chunks, readChunks } from '../streaming/chunks.js';
import { writable } from '../streaming/writable.js';

type Encoder = BrotliCompress | Gzip;

/**
 * Compresses chunk by chunk. The consumer's pace holds the producer back, and a consumer that leaves ends it at
 * once. When the producer pauses, what it has given so far is flushed, so that a slow stream still arrives
 * piece by piece.
 */
export function compressStream(
  source: AsyncIterable<Uint8Array | string>,
  encoder: Encoder,
): ReadableStream<Uint8Array> {
  const chunks = readChunks(source);
  const output: AsyncIterator<Uint8Array> = encoder[Symbol.asyncIterator]();
  let isFed = false;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (!isFed) {
          isFed = true;
          void feed(chunks, encoder);
        }
        const { done, value } = await output.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel() {
        chunks.end();
        encoder.destroy();
      },
    },
    { highWaterMark: 0 },
  );
}

/** Never rejects: a failure of the producer fails the encoder, which the consumer reads. */
async function feed(chunks: Chunks<Uint8Array | string>, encoder: Encoder): Promise<void> {
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
    encoder.destroy(error as Error);
  }
}
