// Static files: makes the response from a file: 200, 206, 304, 412 or 416.

import { close, read } from 'node:fs';
import type { Context } from '../context/context.js';
import { FwError } from '../http/errors.js';
import type { FwHeaders } from '../http/headers.js';
import { FwResponse } from '../http/response.js';
import { checkPreconditions, passesIfRange } from './preconditions.js';
import type { StaticFile } from './static-file.js';

/** Takes over the descriptor of the file, or closes it. */
export function respond(ctx: Context, file: StaticFile): FwResponse {
  let response: FwResponse | undefined;
  try {
    response = choose(ctx, file);
    return response;
  } finally {
    if (response?.stream === undefined) file.close();
  }
}

function choose(ctx: Context, file: StaticFile): FwResponse {
  const { req } = ctx;
  const verdict = checkPreconditions(req, file);
  if (verdict === 'not modified') return FwResponse.withHeaders('', 304, file.shared.copy());
  if (verdict === 'failed') throw FwError.preconditionFailed('the file is another one by now');
  const range = requestedRange(ctx, file);
  if (range === undefined)
    return sendBytes(file, { first: 0, last: file.size - 1 }, 200, file.complete.copy());
  const headers = file.complete.copy();
  headers.set('Content-Range', `bytes ${range.first}-${range.last}/${file.size}`);
  return sendBytes(file, range, 206, headers);
}

/** RFC 9110, section 14.2: ranges apply to GET, if `If-Range` matches, and here only to uncompressed files. */
function requestedRange({ method, req }: Context, file: StaticFile): ByteRange | undefined {
  const field = req.header('range');
  // Stryker disable next-line ConditionalExpression: a missing field requests no range; this is only faster
  if (field === undefined || method !== 'GET') return undefined;
  if (!passesIfRange(req.header('if-range'), file)) return undefined;
  const range = readRange(field, file.size);
  if (range !== 'unsatisfiable') return range;
  throw FwError.rangeNotSatisfiable(`the file has ${file.size} bytes`, {
    headers: { 'Content-Range': `bytes */${file.size}` },
  });
}

function sendBytes(
  file: StaticFile,
  { first, last }: ByteRange,
  status: number,
  headers: FwHeaders,
): FwResponse {
  const { content, size } = file;
  const length = last - first + 1;
  if (typeof content !== 'number') {
    const bytes = length === size ? content : content.subarray(first, last + 1);
    return FwResponse.withHeaders(bytes, status, headers);
  }
  headers.set('Content-Length', length);
  return FwResponse.ofStream(new FileChunks(content, first, length), status, headers);
}

/** First and last byte, both included. */
interface ByteRange {
  readonly first: number;
  readonly last: number;
}

const ONE_RANGE = /^bytes=[ \t]*(?:(\d+)-(\d*)|-(\d+))[ \t]*$/i;

/**
 * The requested range; undefined if the whole file must be sent: for another unit, several ranges, or a malformed
 * field. `'unsatisfiable'` if the range is outside of the file.
 */
export function readRange(field: string, size: number): ByteRange | 'unsatisfiable' | undefined {
  const found = ONE_RANGE.exec(field);
  if (found === null) return undefined;
  const [, from, to, suffix] = found;
  if (suffix !== undefined) {
    const length = Math.min(Number(suffix), size);
    if (Number(suffix) === 0) return 'unsatisfiable';
    // An empty file satisfies every other suffix, but has no range.
    return size === 0 ? undefined : { first: size - length, last: size - 1 };
  }
  const first = Number(from);
  if (to !== '' && Number(to) < first) return undefined;
  if (first >= size) return 'unsatisfiable';
  return { first, last: to === '' ? size - 1 : Math.min(Number(to), size - 1) };
}

/** The size of a read in bytes, which is what a slow client keeps in memory. */
const CHUNK_BYTES = 128 * 1024;

interface Descriptor {
  readonly fd: number;
  isOpen: boolean;
}

/** Closes the descriptor of a response that is dropped unread, for example because a middleware fails. */
const abandoned = new FinalizationRegistry<Descriptor>(closeOnce);

/**
 * Exactly `length` bytes from `position` on, even if the file grows during that. If it shrinks, reading fails, so
 * that the connection is closed. Closes the descriptor at the end, on a failure, and on `return`.
 */
export class FileChunks implements AsyncIterableIterator<Uint8Array> {
  readonly #descriptor: Descriptor;
  #position: number;
  #left: number;
  #isReading = false;
  #isStopped = false;

  constructor(fd: number, position: number, length: number) {
    this.#descriptor = { fd, isOpen: true };
    this.#position = position;
    this.#left = length;
    abandoned.register(this, this.#descriptor);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<Uint8Array>> {
    if (this.#left === 0) this.#stop();
    if (this.#isStopped) return { done: true, value: undefined };
    this.#isReading = true;
    try {
      const chunk = await readChunk(this.#descriptor.fd, this.#position, Math.min(CHUNK_BYTES, this.#left));
      if (chunk.length === 0) throw new Error(`the file lost its last ${this.#left} bytes while it was sent`);
      this.#position += chunk.length;
      this.#left -= chunk.length;
      return this.#isStopped ? { done: true, value: undefined } : { done: false, value: chunk };
    } catch (error) {
      this.#isStopped = true;
      throw error;
    } finally {
      this.#isReading = false;
      if (this.#left === 0 || this.#isStopped) this.#stop();
    }
  }

  async return(): Promise<IteratorResult<Uint8Array>> {
    this.#stop();
    return { done: true, value: undefined };
  }

  /** Closes the descriptor after a pending read: otherwise its number could already belong to another file. */
  #stop(): void {
    this.#isStopped = true;
    if (!this.#isReading) closeOnce(this.#descriptor);
  }
}

function readChunk(fd: number, position: number, length: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunk = Buffer.allocUnsafeSlow(length);
    read(fd, chunk, 0, length, position, (error, count) => {
      if (error) reject(error);
      else resolve(count === length ? chunk : chunk.subarray(0, count));
    });
  });
}

function closeOnce(descriptor: Descriptor): void {
  if (!descriptor.isOpen) return;
  descriptor.isOpen = false;
  // The descriptor is read-only, so nothing is lost if closing fails.
  close(descriptor.fd, () => {});
}
