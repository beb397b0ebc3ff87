// Static files: one version of a file, with its header fields.
import { type BigIntStats, closeSync } from 'node:fs';
import type { CompressionEncoding } from '../http/accept-encoding.js';
import { FwHeaders } from '../http/headers.js';
import type { Validators } from './preconditions.js';

/** What the header fields depend on besides the file itself. */
export interface Description {
  readonly type: string;
  /** The content coding, for a precompressed file. */
  readonly coding: CompressionEncoding | undefined;
  readonly cacheControl: string | undefined;
  /** Set if another coding of the file may be sent for the same path. */
  readonly isNegotiated: boolean;
}

export class StaticFile implements Validators {
  readonly path: string;
  readonly stat: BigIntStats;
  readonly size: number;
  /** All bytes, or the descriptor of a file that is too large for the cache. */
  readonly content: Buffer | number;
  readonly coding: CompressionEncoding | undefined;
  readonly etag: string;
  readonly modifiedSeconds: number;
  /** The header fields of 304, 200 and 206. */
  readonly shared: FwHeaders;
  /** The header fields of 200. */
  readonly complete: FwHeaders;

  constructor(path: string, stat: BigIntStats, content: Buffer | number, description: Description) {
    const { type, coding, cacheControl, isNegotiated } = description;
    this.path = path;
    this.stat = stat;
    this.content = content;
    this.size = typeof content === 'number' ? Number(stat.size) : content.length;
    this.coding = coding;
    this.modifiedSeconds = Math.floor(Number(stat.mtimeMs) / 1000);
    this.etag = `"${this.size}-${this.modifiedSeconds}${coding === undefined ? '' : `-${coding}`}"`;
    const shared = new FwHeaders();
    shared.set('ETag', this.etag);
    // RFC 9110, section 8.8.2.1: the date must not be in the future.
    if (this.modifiedSeconds * 1000 <= Date.now()) {
      shared.set('Last-Modified', formatHttpDate(this.modifiedSeconds));
    }
    if (cacheControl !== undefined) shared.set('Cache-Control', cacheControl);
    if (isNegotiated) shared.set('Vary', 'Accept-Encoding');
    this.shared = shared;
    const complete = new FwHeaders();
    complete.set('Content-Type', type);
    for (const [name, value] of shared) complete.set(name, value);
    if (coding === undefined) complete.set('Accept-Ranges', 'bytes');
    else complete.set('Content-Encoding', coding);
    this.complete = complete;
  }

  /** Closes the descriptor, if there is one. Must be called for every response that does not read from it. */
  close(): void {
    if (typeof this.content === 'number') closeSync(this.content);
  }
}

const IMF = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;
const RFC_850 = /^[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/;
const ASCTIME = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/;

/** Parses an HTTP date to whole seconds since 1970; undefined if it is malformed, and then ignored. */
export function readHttpDate(text: string): number | undefined {
  let ms = Number.NaN;
  if (IMF.test(text) || RFC_850.test(text)) ms = Date.parse(text);
  else if (ASCTIME.test(text)) ms = Date.parse(`${text} GMT`);
  return Number.isNaN(ms) ? undefined : Math.floor(ms / 1000);
}

/** @param seconds Whole seconds since 1970. */
export function formatHttpDate(seconds: number): string {
  return new Date(seconds * 1000).toUTCString();
}
