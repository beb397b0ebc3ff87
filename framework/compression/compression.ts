// Compression middleware: brotli or gzip for what gets smaller by it.
import { promisify } from 'node:util';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib';
import type { Middleware } from '../chain.js';
import { listsToken } from '../field-list.js';
import type { FwHeaders } from '../headers.js';
import { addVary } from '../headers.js';
import { answered } from '../middleware/answered.js';
import type { FwResponse } from '../response.js';
import { compressStream } from './compress-stream.js';
import { type Encoding, negotiate } from './negotiate.js';

export interface CompressionOptions {
  /** Codings to offer; both by default. */
  encodings?: readonly Encoding[];
  /** Buffered bodies below this many bytes stay as they are; 1,024 by default. */
  minSize?: number;
  /** 0 (fast) to 11 (small); 4 by default. */
  brotliQuality?: number;
  /** 1 (fast) to 9 (small); 6 by default. */
  gzipLevel?: number;
}

/**
 * Compresses responses for clients that accept it, buffered and streamed ones. Register it before what serves
 * files. Already encoded bodies, ranges, event streams, `no-transform`, and types that are compressed by
 * nature pass unchanged; `Vary: Accept-Encoding` is on every answer.
 *
 * @throws Error when an option is out of range.
 */
export function compression(options: CompressionOptions = {}): Middleware {
  const coder = resolve(options);
  return async function compression(ctx, next) {
    const response = await answered(ctx, next);
    addVary(response.headers, 'Accept-Encoding');
    const encoding = negotiate(ctx.req.header('accept-encoding'), coder.encodings);
    if (encoding === undefined || !isCompressible(response, coder.minSize)) return response;
    await encode(response, encoding, coder);
    return response;
  };
}

/** `new Compression().gzip().minSize(512).build()`; naming one coding leaves the other out. */
export class Compression {
  readonly #encodings = new Set<Encoding>();
  #minSize: number | undefined;

  gzip(): this {
    this.#encodings.add('gzip');
    return this;
  }

  brotli(): this {
    this.#encodings.add('br');
    return this;
  }

  /** @param bytes Buffered bodies below this size stay as they are. */
  minSize(bytes: number): this {
    this.#minSize = bytes;
    return this;
  }

  /** @throws Error like `compression`. */
  build(): Middleware {
    return compression({
      ...(this.#encodings.size > 0 && { encodings: [...this.#encodings] }),
      ...(this.#minSize !== undefined && { minSize: this.#minSize }),
    });
  }
}

interface Coder {
  /** Brotli first, so that it wins a tie. */
  readonly encodings: readonly Encoding[];
  readonly minSize: number;
  readonly brotli: { params: Record<number, number> };
  readonly gzip: { level: number };
}

function resolve(options: CompressionOptions): Coder {
  const { encodings = ['br', 'gzip'], minSize = 1024, brotliQuality = 4, gzipLevel = 6 } = options;
  for (const encoding of encodings) {
    if (encoding !== 'br' && encoding !== 'gzip') {
      throw new Error(`compression: unknown encoding ${JSON.stringify(encoding)}; use 'br' or 'gzip'`);
    }
  }
  if (encodings.length === 0) throw new Error("compression: encodings is empty; name 'br', 'gzip' or both");
  checkRange('minSize', minSize, 0, Number.MAX_SAFE_INTEGER);
  checkRange('brotliQuality', brotliQuality, 0, 11);
  checkRange('gzipLevel', gzipLevel, 1, 9);
  return {
    encodings: (['br', 'gzip'] as const).filter((encoding) => encodings.includes(encoding)),
    minSize,
    brotli: { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } },
    gzip: { level: gzipLevel },
  };
}

function checkRange(option: string, value: number, least: number, most: number): void {
  if (Number.isInteger(value) && value >= least && value <= most) return;
  throw new Error(`compression: invalid ${option} ${value}; give a whole number from ${least} to ${most}`);
}

/** Types whose bytes are compressed by nature, as they start. */
const DENSE =
  /^(?:image\/|audio\/|video\/|font\/woff|application\/(?:zip|gzip|x-gzip|zstd|x-7z-compressed|x-rar-compressed|vnd\.rar|x-bzip2?|x-xz)\b|text\/event-stream\b)/i;

function isCompressible({ status, headers, isStream, content }: FwResponse, minSize: number): boolean {
  if (status === 204 || status === 205 || status === 206 || status === 304) return false;
  if (headers.has('Content-Encoding') || headers.has('Content-Range')) return false;
  if (DENSE.test(headers.get('Content-Type') ?? '')) return false;
  // RFC 9111, section 5.2.2.6.
  if (listsToken(headers.get('Cache-Control'), 'no-transform')) return false;
  return isStream || Buffer.byteLength(content as string | Uint8Array) >= minSize;
}

async function encode(response: FwResponse, encoding: Encoding, coder: Coder): Promise<void> {
  const { body, headers } = response;
  const etag = weakened(headers);
  if (body.kind === 'stream') {
    const encoder = encoding === 'br' ? createBrotliCompress(coder.brotli) : createGzip(coder.gzip);
    response.body = { kind: 'stream', stream: compressStream(body.stream, encoder) };
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

/** RFC 9110, section 8.8.1: the coded bytes are not those that a strong validator stands for. */
function weakened(headers: FwHeaders): string | undefined {
  const etag = headers.get('ETag');
  return etag === undefined || etag.startsWith('W/') ? etag : `W/${etag}`;
}
