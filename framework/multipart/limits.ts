// Multipart: the limits of a form, besides the size of the whole body.
import { FwError } from '../http/errors.js';

/** Limits of `ctx.req.multipart()`; a form that exceeds one of them is answered 413. */
export interface MultipartOptions {
  /** Maximum number of fields and files together; 1,000 by default. */
  maxParts?: number;
  /** Maximum number of files; 100 by default. */
  maxFiles?: number;
  /** Maximum size of a field, which is kept in memory, in bytes; 1 MiB by default. */
  maxFieldSize?: number;
  /** Maximum size of a file in bytes; by default only `maxBodySize` limits it. */
  maxFileSize?: number;
  /** Maximum size of the header fields of a part in bytes; 16 KiB by default, which is the largest allowed value. */
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

/** For a body that is already in memory, whose size was already limited. */
export const BUFFERED: MultipartLimits = {
  maxParts: Number.POSITIVE_INFINITY,
  maxFiles: Number.POSITIVE_INFINITY,
  maxFieldSize: Number.POSITIVE_INFINITY,
  maxFileSize: Number.POSITIVE_INFINITY,
  maxHeaderSize: DEFAULTS.maxHeaderSize,
};

/** @throws Error when a name is unknown, or a limit is not a whole number, 0 or more. */
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

/** The error for a form over a limit. */
export function overLimit(what: string): FwError {
  return FwError.payloadTooLarge(`the multipart body has ${what}`);
}
