// Static files: which precompressed files to look for, the preferred first.
import { type Encoding, negotiate } from '../http/accept-encoding.js';

export const SUFFIX: Readonly<Record<Encoding, string>> = { br: '.br', gzip: '.gz' };

/** Many clients send the same value, so it is parsed only when it changes. */
let lastField: string | undefined;
let lastCodings: readonly Encoding[] = [];

/** The codings that the client prefers to the uncompressed file. */
export function acceptedCodings(field: string | undefined): readonly Encoding[] {
  // Stryker disable next-line ConditionalExpression: parsing the same field again gives the same codings
  if (field === lastField) return lastCodings;
  const best = negotiate(field, ['br', 'gzip']);
  const second = best === undefined ? undefined : negotiate(field, [best === 'br' ? 'gzip' : 'br']);
  lastField = field;
  lastCodings = [best, second].filter((coding) => coding !== undefined);
  return lastCodings;
}
