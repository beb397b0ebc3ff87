// Compression middleware: encodes response bodies with brotli or gzip.

import { promisify } from 'node:util';
import {
  type BrotliCompress,
  brotliCompress,
  constants,
  createBrotliCompress,
  createGzip,
  type Gzip,
  gzip,
} from 'node:zlib';
import type { Middleware } from '../../context/handlers.js';
import { answered } from '../../dispatch/error-response.js';
import { type CompressionEncoding, negotiate } from '../../http/accept-encoding.js';
import { type Chunks, checkChunk, readChunks, wrongLength } from '../../http/chunks.js';
import { listsToken } from '../../http/field-list.js';
import { addVary, type FwHeaders } from '../../http/headers.js';
import { type FwResponse, isBodiless } from '../../http/response.js';
import { checkOptions, refuseMore } from '../../options/check.js';
import { listOf, oneOf, type Rules, whole } from '../../options/rules.js';
import { writable } from '../../streaming/writable.js';

/** Options of `compression`. */
export interface CompressionOptions {
  /** The content codings to offer; `['br', 'gzip']` by default. */
  encodings?: readonly CompressionEncoding[];
  /** Buffered bodies of fewer bytes are not compressed; 1,024 by default. */
  minSize?: number;
  /** Brotli quality, from 0 (fast) to 11 (small); 4 by default. */
  brotliQuality?: number;
  /** Gzip level, from 1 (fast) to 9 (small); 6 by default. */
  gzipLevel?: number;
}

/**
 * Compresses buffered and streamed responses for clients that accept it (RFC 9110, section 12.5.3). Not compressed
 * are encoded bodies, ranges, event streams, responses with `Cache-Control: no-transform`, and media types that are
 * already compressed, such as images. Every response gets `Vary: Accept-Encoding`. Register it before middleware that
 * serves files.
 *
 * @throws ConfigError if an option is unknown or out of range.
 */
export function compression(options: CompressionOptions = {}): Middleware {
  const coder = resolve(options);
  return async function compression(ctx, next) {
    const response = await answered(ctx, next);
    addVary(response.headers, 'Accept-Encoding');
    const encoding = negotiate(ctx.req.header('accept-encoding'), coder.encodings);
    const size = sizeOf(response, ctx.req.method === 'HEAD');
    if (encoding === undefined || size < coder.minSize || !isCompressible(response)) return response;
    await encode(response, encoding, coder);
    return response;
  };
}

/**
 * The middleware `compression` as a builder: `new Compression().gzip().minSize(512).build()`. Without `gzip()` and
 * `brotli()` it offers both codings.
 */
export class Compression {
  #options: CompressionOptions = {};

  /** The defaults. @throws ConfigError if there is an argument */
  constructor(...none: readonly never[]) {
    refuseMore('new Compression()', none, 'give options to compression(options)');
  }

  /** Offers gzip; brotli only if `brotli()` is called too. */
  gzip(): Compression {
    return this.#offer('gzip');
  }

  /** Offers brotli; gzip only if `gzip()` is called too. */
  brotli(): Compression {
    return this.#offer('br');
  }

  /** Buffered bodies of fewer bytes are not compressed; 1,024 by default. */
  minSize(bytes: number): Compression {
    return this.#with({ minSize: bytes });
  }

  /** Makes the middleware. @throws ConfigError like `compression`. */
  build(): Middleware {
    return compression(this.#options);
  }

  #offer(encoding: CompressionEncoding): Compression {
    return this.#with({ encodings: [...new Set([...(this.#options.encodings ?? []), encoding])] });
  }

  #with(change: Partial<CompressionOptions>): Compression {
    const next = new Compression();
    next.#options = { ...this.#options, ...change };
    return next;
  }
}

interface Coder {
  /** Brotli first, because it is preferred on a tie. */
  readonly encodings: readonly CompressionEncoding[];
  readonly minSize: number;
  readonly brotli: { params: Record<number, number> };
  readonly gzip: { level: number };
}

function resolve(options: CompressionOptions): Coder {
  const given = checkOptions('compression', options, RULES);
  const { encodings = ['br', 'gzip'], minSize = 1024, brotliQuality = 4, gzipLevel = 6 } = given;
  return {
    encodings: (['br', 'gzip'] as const).filter((encoding) => encodings.includes(encoding)),
    minSize,
    brotli: { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } },
    gzip: { level: gzipLevel },
  };
}

const RULES: Rules<CompressionOptions> = {
  encodings: listOf(oneOf('br', 'gzip'), 1),
  minSize: whole(0, Number.MAX_SAFE_INTEGER, 'bytes'),
  brotliQuality: whole(0, 11),
  gzipLevel: whole(1, 9),
};

/** Matches the beginning of media types that are compressed already, and event streams. */
const DENSE =
  /^(?:image\/|audio\/|video\/|font\/woff|application\/(?:zip|gzip|x-gzip|zstd|x-7z-compressed|x-rar-compressed|vnd\.rar|x-bzip2?|x-xz)\b|text\/event-stream\b)/i;

/** In bytes. A response to HEAD may have only the length that a GET would have got. */
function sizeOf({ stream, content, headers }: FwResponse, isHead: boolean): number {
  if (stream !== undefined) return Number.POSITIVE_INFINITY;
  const size = Buffer.byteLength(content);
  return isHead && size === 0 ? Number(headers.get('Content-Length') ?? 0) : size;
}

function isCompressible({ status, headers, switchProtocol }: FwResponse): boolean {
  if (isBodiless(status) || status === 206 || switchProtocol !== undefined) return false;
  if (headers.has('Content-Encoding') || headers.has('Content-Range')) return false;
  if (DENSE.test(headers.get('Content-Type') ?? '')) return false;
  // RFC 9111, section 5.2.2.6.
  return !listsToken(headers.get('Cache-Control'), 'no-transform');
}

async function encode(response: FwResponse, encoding: CompressionEncoding, coder: Coder): Promise<void> {
  const { body, headers } = response;
  const etag = weakened(headers);
  if (body.kind === 'stream') {
    const declared = Number(headers.get('Content-Length'));
    const encoder = encoding === 'br' ? createBrotliCompress(coder.brotli) : createGzip(coder.gzip);
    response.body = { kind: 'stream', stream: compressStream(body.stream, encoder, declared) };
  } else if (body.bytes.length === 0) {
    // Nobody knows the length of what a GET would have got.
    response.body = body;
  } else {
    const bytes =
      encoding === 'br'
        ? await compressBrotli(body.bytes, coder.brotli)
        : await compressGzip(body.bytes, coder.gzip);
    response.body = { kind: 'full', bytes };
  }
  if (etag !== undefined) headers.set('ETag', etag);
  headers.set('Content-Encoding', encoding);
}

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify<Uint8Array, { level: number }, Buffer>(gzip);

/** RFC 9110, section 8.8.1: a strong validator would identify the bytes before encoding, so it becomes weak. */
function weakened(headers: FwHeaders): string | undefined {
  const etag = headers.get('ETag');
  return etag === undefined || etag.startsWith('W/') ? etag : `W/${etag}`;
}

type Encoder = BrotliCompress | Gzip;

/**
 * Compresses a stream chunk by chunk, with back-pressure. If the consumer cancels, the producer is stopped at once.
 * When the producer pauses, the encoder is flushed, so that the chunks of a slow stream arrive without delay.
 *
 * @param declared the length of the source, which nobody sees behind the encoder; NaN without one
 */
export function compressStream(
  source: AsyncIterable<Uint8Array | string>,
  encoder: Encoder,
  declared: number = Number.NaN,
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
          void feed(chunks, encoder, declared, failed);
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
  declared: number,
  failed: (error: unknown) => void,
): Promise<void> {
  let pause: NodeJS.Immediate | undefined;
  let taken = 0;
  try {
    for (;;) {
      const { done, value } = await chunks.next();
      clearImmediate(pause);
      if (done || encoder.destroyed) break;
      checkChunk(value);
      taken += Buffer.byteLength(value);
      if (taken > declared) throw wrongLength(declared, 'more');
      if (!encoder.write(value)) await writable(encoder);
      pause = setImmediate(() => {
        if (!encoder.destroyed && !encoder.writableEnded) encoder.flush();
      });
    }
    if (encoder.destroyed) return;
    if (taken < declared) throw wrongLength(declared, 'less');
    encoder.end();
  } catch (error) {
    clearImmediate(pause);
    void chunks.end();
    failed(error);
  }
}
