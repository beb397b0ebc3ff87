// Multipart: the limits of a form, besides the size of the whole body.

import { FwError } from '../http/errors.js';
import { checkOptions } from '../options/check.js';
import { type Rules, whole, within } from '../options/rules.js';

/** Limits of `ctx.req.multipart()` and `ctx.req.formData()`; a form that exceeds one of them is answered 413. */
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

/** For a body in memory, whose size `maxBodySize` limits: its fields may be as large as it is. */
export function formLimits(options: MultipartOptions): MultipartLimits {
  const { maxFieldSize = Number.POSITIVE_INFINITY, ...others } = checkOptions('formData', options, RULES);
  return multipartLimits({ ...others, maxFieldSize });
}

const LIMIT = within(
  'a whole number, 0 or more',
  (value) => value === Number.POSITIVE_INFINITY || (Number.isSafeInteger(value) && value >= 0),
);

const RULES: Rules<MultipartOptions> = {
  maxParts: LIMIT,
  maxFiles: LIMIT,
  maxFieldSize: LIMIT,
  maxFileSize: LIMIT,
  maxHeaderSize: whole(0, DEFAULTS.maxHeaderSize),
};

/** @throws ConfigError if a name is unknown, or a limit is not a whole number, 0 or more. */
export function multipartLimits(options: MultipartOptions): MultipartLimits {
  const limits = { ...DEFAULTS };
  for (const [name, value] of Object.entries(checkOptions('multipart', options, RULES))) {
    if (value !== undefined) limits[name as keyof MultipartOptions] = value;
  }
  return limits;
}

/** The error for a form over a limit. */
export function overLimit(what: string): FwError {
  return FwError.payloadTooLarge(`the multipart body has ${what}`);
}
