// Static files: from a path behind the prefix to the file that answers, out of memory where the disk allows it.
import { closeSync, fstatSync, readSync } from 'node:fs';
import type { Encoding } from '../compression/negotiate.js';
import type { Context } from '../context.js';
import { reportFor } from '../error-response.js';
import type { FwResponse } from '../response.js';
import { Directory, isUnchanged, type OpenFile, UnreadableFile } from './directory.js';
import { FileCache, MAX_CACHED_FILE } from './file-cache.js';
import { fileName } from './file-name.js';
import { mediaType } from './media-type.js';
import type { StaticOptions } from './options.js';
import { acceptedCodings, SUFFIX } from './precompressed.js';
import { respond } from './respond.js';
import { StaticFile } from './static-file.js';

/**
 * A write that comes right behind a read may leave every time stamp as it was: the clocks of file systems tick
 * in milliseconds to seconds. A file is kept only once its stamps are older than that.
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
   * The answer for a path behind the prefix, in canonical form; undefined where there is no such file.
   *
   * @throws FwError for a failed precondition, a range that the file has not, or want of descriptors.
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

  /** A coded sibling that is wanted and up to date. A range is one of the file as it is. */
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

  /** One that cannot be read is reported and passed over: there is the file itself to send. */
  #findSibling(ctx: Context, text: string, coding: Encoding): StaticFile | undefined {
    try {
      return this.#find(text, coding);
    } catch (error) {
      reportFor(ctx, error, 200);
      return undefined;
    }
  }

  #find(text: string, coding: Encoding | undefined): StaticFile | undefined {
    const key = coding === undefined ? text : `${text}\0${coding}`;
    const cached = this.#cache.get(key);
    if (cached !== undefined) {
      const now = this.#directory.stat(cached.path);
      if (now !== undefined && isUnchanged(cached.stat, now)) return cached;
      this.#cache.delete(key);
    }
    const name = fileName(text);
    return name === undefined ? undefined : this.#load(key, name, coding);
  }

  #load(key: string, name: string, coding: Encoding | undefined): StaticFile | undefined {
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
    coding: Encoding | undefined,
  ): StaticFile {
    try {
      const { cacheControl } = this.#options;
      return new StaticFile(path, stat, content, {
        type: mediaType(this.#directory.pathOf(name)),
        coding,
        cacheControl: typeof cacheControl === 'function' ? cacheControl(name) : cacheControl,
        isNegotiated: this.#options.precompressed !== false,
      });
    } catch (error) {
      // The application's own function threw, or gave what no field may hold.
      if (content === fd) closeSync(fd);
      throw error;
    }
  }
}

/** The bytes of a small file. Torn, where it was written to meanwhile. Closes it. */
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
