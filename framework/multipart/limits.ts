// Multipart: how much of a form is accepted, beside the size of the whole body.
import { FwError } from '../errors.js';

/** Limits of `ctx.req.multipart()`; a form over one of them is answered 413. */
export interface MultipartOptions {
  /** Fields and files together; 1,000 by default. */
  maxParts?: number;
  /** Files; 100 by default. */
  maxFiles?: number;
  /** Bytes of one field, which is held in memory; 1 MiB by default. */
  maxFieldSize?: number;
  /** Bytes of one file; by default only `maxBodySize` limits it. */
  maxFileSize?: number;
  /** Bytes of the header fields of one part; 16 KiB by default, which is the most that can be set. */
  maxHeaderSize?: number;
}

export type MultipartLimits = Readonly<Required<MultipartOptions>>;

const DEFAULTS: MultipartLimits = {
  maxParts: 1_000,
  maxFiles: 100,
  maxFieldSize: 1024 * 1024,
  maxFileSize: Number.POSITIVE_INFINITY,
  maxHeaderSize: 16 * 1024,
};

/** For a body that is in memory already: what it weighs was decided before. */
export const BUFFERED: MultipartLimits = {
  maxParts: Number.POSITIVE_INFINITY,
  maxFiles: Number.POSITIVE_INFINITY,
  maxFieldSize: Number.POSITIVE_INFINITY,
  maxFileSize: Number.POSITIVE_INFINITY,
  maxHeaderSize: DEFAULTS.maxHeaderSize,
};

/** @throws Error when a name is unknown, or a limit is no whole number. */
export function multipartLimits(options: MultipartOptions): MultipartLimits {
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(DEFAULTS, name)) {
      throw new Error(`unknown multipart option '${name}'; there are ${Object.keys(DEFAULTS).join(', ')}`);
    }
    const isLimit = value === undefined || value === Number.POSITIVE_INFINITY || isCount(value);
    if (!isLimit) throw new Error(`invalid ${name} ${value}: give a whole number, 0 or more`);
  }
  const limits = { ...DEFAULTS };
  for (const [name, value] of Object.entries(options)) {
    if (value !== undefined) limits[name as keyof MultipartOptions] = value;
  }
  if (limits.maxHeaderSize > DEFAULTS.maxHeaderSize) {
    throw new Error(`invalid maxHeaderSize ${limits.maxHeaderSize}: at most ${DEFAULTS.maxHeaderSize}`);
  }
  return limits;
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/** What a form over a limit is answered with. */
export function overLimit(what: string): FwError {
  return FwError.payloadTooLarge(`the multipart body has ${what}`);
}
