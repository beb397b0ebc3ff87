// The flags of `fw fuzz`, and the options of `fuzz` that they stand for.
import type { FuzzOptions } from 'fw/testing';
import { UsageError } from '../terminal/errors.js';
import { headerFields } from './header-fields.js';

export interface FuzzFlags {
  document?: string;
  header?: string[];
  otherHeader?: string[];
  only?: string[];
  except?: string[];
  open?: string[];
  shared?: string[];
  runs?: string;
  seed?: string;
  timeout?: string;
  allowRemote?: boolean;
  json?: boolean;
}

/** The names by which failures call those who send the header fields. */
const FIRST = 'you';
const SECOND = 'other';

/** @throws UsageError for a value that is not one of its flag */
export function fuzzOptions(flags: FuzzFlags): FuzzOptions {
  const { header = [], otherHeader = [], only, except, open, shared } = flags;
  if (otherHeader.length > 0 && header.length === 0) {
    throw new UsageError(
      '--other-header is given without --header',
      "give the header fields of the first caller too, such as: --header 'Authorization: Bearer …'",
    );
  }
  const first = headerFields('--header', header);
  const second = headerFields('--other-header', otherHeader);
  const runs = wholeNumber('--runs', flags.runs, 1, 100_000);
  const seed = wholeNumber('--seed', flags.seed, -(2 ** 31), 2 ** 31 - 1);
  const timeoutMs = wholeNumber('--timeout', flags.timeout, 1, 2 ** 31 - 1);
  return {
    ...(header.length > 0 && {
      identities: { [FIRST]: () => first, ...(otherHeader.length > 0 && { [SECOND]: () => second }) },
    }),
    ...(only && { only: operations('--only', only) }),
    ...(except && { except: operations('--except', except) }),
    ...(open && { open: operations('--open', open) }),
    ...(shared && { shared: operations('--shared', shared) }),
    ...(runs !== undefined && { runs }),
    ...(seed !== undefined && { seed }),
    ...(timeoutMs !== undefined && { timeoutMs }),
  };
}

function operations(flag: string, names: readonly string[]): readonly string[] {
  if (names.every((name) => name !== '')) return names;
  throw new UsageError(`${flag} is empty`, `name an operation, such as: ${flag} 'POST /users/:id'`);
}

function wholeNumber(
  flag: string,
  text: string | undefined,
  least: number,
  most: number,
): number | undefined {
  if (text === undefined) return undefined;
  const number = /^-?\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw new UsageError(
    `${flag} is '${text}'`,
    `give a whole number from ${least} to ${most}, such as: ${flag} 100`,
  );
}
