// Static files: finds the file for a path after the prefix, and answers from the cache if it is up to date.
import { closeSync, fstatSync, readSync } from 'node:fs';
import mime from 'mime';
import type { Context } from '../context/context.js';
import { reportFor } from '../dispatch/error-response.js';
import { type CompressionEncoding, negotiate } from '../http/accept-encoding.js';
import type { FwResponse } from '../http/response.js';
import { Directory, isUnchanged, type OpenFile, UnreadableFile } from './directory.js';
import { FileCache, MAX_CACHED_FILE } from './file-cache.js';
import { fileName } from './file-name.js';
import { cacheControlOf, type StaticOptions } from './options.js';
import { respond } from './respond.js';
import { StaticFile } from './static-file.js';

/**
 * A write directly after a read may leave all timestamps unchanged, because the clocks of file systems have a
 * resolution of milliseconds to seconds. A file is cached only if its timestamps are older than that.
 */
const SETTLED_NS = 2_000_000_000n;
/** How often a file may change while it is being read. */
const ATTEMPTS = 5;

export class FileServer {
  readonly #directory: Directory;
  readonly #options: StaticOptions;
  readonly #cache = new FileCache();

  /** @param root An absolute path. */
  constructor(root: string, options: StaticOptions) {
    this.#directory = new Directory(root);
    this.#options = options;
  }

  /**
   * The response for a canonical path after the prefix; undefined if there is no such file.
   *
   * @throws FwError for a failed precondition, a range outside of the file, or a lack of descriptors.
   */
  answer(ctx: Context, text: string): FwResponse | undefined {
    const plain = this.#findPlain(ctx, text);
    if (plain === undefined) return undefined;
    const coded = this.#findCoded(ctx, text, plain);
    if (coded === undefined) return respond(ctx, plain);
    plain.close();
    return respond(ctx, coded);
  }

  #findPlain(ctx: Context, text: string): StaticFile | undefined {
    try {
      return this.#find(text, undefined);
    } catch (error) {
      if (!(error instanceof UnreadableFile)) throw error;
      reportFor(ctx, error, 404);
      return undefined;
    }
  }

  /** A precompressed file that the client accepts and that is up to date. Ranges refer to the original file. */
  #findCoded(ctx: Context, text: string, plain: StaticFile): StaticFile | undefined {
    if (this.#options.precompressed === false) return undefined;
    const codings = acceptedCodings(ctx.req.header('accept-encoding'));
    if (codings.length === 0 || ctx.req.header('range') !== undefined) return undefined;
    for (const coding of codings) {
      const coded = this.#findSibling(ctx, text, coding);
      if (coded === undefined) continue;
      if (coded.stat.mtimeNs >= plain.stat.mtimeNs) return coded;
      coded.close();
    }
    return undefined;
  }

  /** A precompressed file that cannot be read is reported and ignored: the original is sent. */
  #findSibling(ctx: Context, text: string, coding: CompressionEncoding): StaticFile | undefined {
    try {
      return this.#find(text, coding);
    } catch (error) {
      reportFor(ctx, error, 200);
      return undefined;
    }
  }

  #find(text: string, coding: CompressionEncoding | undefined): StaticFile | undefined {
    const key = coding === undefined ? text : `${text}\0${coding}`;
    const cached = this.#cache.get(key);
    if (cached !== undefined) {
      const now = this.#directory.stat(cached.path);
      if (now !== undefined && isUnchanged(cached.stat, now)) return cached;
      this.#cache.delete(key);
    }
    const name = fileName(text, undefined, this.#options.dotfiles);
    return name === undefined ? undefined : this.#load(key, name, coding);
  }

  #load(key: string, name: string, coding: CompressionEncoding | undefined): StaticFile | undefined {
    const path = this.#directory.pathOf(coding === undefined ? name : name + SUFFIX[coding]);
    for (let attempt = 1; ; attempt++) {
      const opened = this.#directory.open(path);
      if (opened === undefined) return undefined;
      if (opened.stat.size > MAX_CACHED_FILE) return this.#describe(path, name, opened, opened.fd, coding);
      const { bytes, isTorn } = readAll(opened);
      if (isTorn && attempt < ATTEMPTS) continue;
      const file = this.#describe(path, name, opened, bytes, coding);
      if (!isTorn && isSettled(opened)) this.#cache.set(key, file);
      return file;
    }
  }

  #describe(
    path: string,
    name: string,
    { fd, stat }: OpenFile,
    content: Buffer | number,
    coding: CompressionEncoding | undefined,
  ): StaticFile {
    try {
      const { cacheControl } = this.#options;
      return new StaticFile(path, stat, content, {
        type: mediaType(this.#directory.pathOf(name)),
        coding,
        cacheControl: cacheControlOf(cacheControl, name),
        isNegotiated: this.#options.precompressed !== false,
      });
    } catch (error) {
      // The application's function threw, or returned an invalid field value.
      if (content === fd) closeSync(fd);
      throw error;
    }
  }
}

/** The bytes of a small file, or that it was written to during the read. Closes the file. */
function readAll({ fd, stat }: OpenFile): { bytes: Buffer; isTorn: boolean } {
  try {
    const bytes = Buffer.allocUnsafeSlow(Number(stat.size));
    let length = 0;
    while (length < bytes.length) {
      const count = readSync(fd, bytes, length, bytes.length - length, length);
      if (count === 0) break;
      length += count;
    }
    const isTorn = length < bytes.length || !isUnchanged(stat, fstatSync(fd, { bigint: true }));
    return { bytes: bytes.subarray(0, length), isTorn };
  } finally {
    closeSync(fd);
  }
}

function isSettled({ stat }: OpenFile): boolean {
  const newest = stat.mtimeNs > stat.ctimeNs ? stat.mtimeNs : stat.ctimeNs;
  return BigInt(Date.now()) * 1_000_000n - newest > SETTLED_NS;
}

/** Text is assumed to be UTF-8; a file without a known extension is `application/octet-stream`. */
export function mediaType(path: string): string {
  const type = mime.getType(path) ?? 'application/octet-stream';
  return type.startsWith('text/') ? `${type}; charset=utf-8` : type;
}

const SUFFIX: Readonly<Record<CompressionEncoding, string>> = { br: '.br', gzip: '.gz' };

/** Many clients send the same value, so it is parsed only when it changes. */
let lastField: string | undefined;
let lastCodings: readonly CompressionEncoding[] = [];

/** The codings that the client prefers to the uncompressed file. */
export function acceptedCodings(field: string | undefined): readonly CompressionEncoding[] {
  // Stryker disable next-line ConditionalExpression: parsing the same field again gives the same codings
  if (field === lastField) return lastCodings;
  const best = negotiate(field, ['br', 'gzip']);
  const second = best === undefined ? undefined : negotiate(field, [best === 'br' ? 'gzip' : 'br']);
  lastField = field;
  lastCodings = [best, second].filter((coding) => coding !== undefined);
  return lastCodings;
}
