// Static files: one version of one file, with the header fields that go with its bytes.
import { type BigIntStats, closeSync } from 'node:fs';
import type { Encoding } from '../compression/negotiate.js';
import { FwHeaders } from '../headers.js';
import { formatHttpDate } from './http-date.js';
import type { Validators } from './preconditions.js';

/** What the fields are made of, beside the file itself. */
export interface Description {
  readonly type: string;
  /** The coding of the bytes, where they are coded. */
  readonly coding: Encoding | undefined;
  readonly cacheControl: string | undefined;
  /** Set where another coding of the file may be sent for the same path. */
  readonly isNegotiated: boolean;
}

export class StaticFile implements Validators {
  readonly path: string;
  readonly stat: BigIntStats;
  readonly size: number;
  /** All bytes, or the descriptor of a file that is too large to be kept. */
  readonly content: Buffer | number;
  readonly coding: Encoding | undefined;
  readonly etag: string;
  readonly modifiedSeconds: number;
  /** Of a 304, and of every answer that has bytes. */
  readonly shared: FwHeaders;
  /** Of a 200. */
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
    // RFC 9110, section 8.8.2.1: no date that is still to come.
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

  /** Closes the descriptor, if there is one: for every answer that does not read from it. */
  close(): void {
    if (typeof this.content === 'number') closeSync(this.content);
  }
}
