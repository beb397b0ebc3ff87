// Static files: which coded siblings of a file to look for, best first.
import { type Encoding, negotiate } from '../compression/negotiate.js';

export const SUFFIX: Readonly<Record<Encoding, string>> = { br: '.br', gzip: '.gz' };

/** Clients of one kind send one value: it is read when it changes. */
let lastField: string | undefined;
let lastCodings: readonly Encoding[] = [];

/** The codings that the client prefers to the file as it is. */
export function acceptedCodings(field: string | undefined): readonly Encoding[] {
  if (field === lastField) return lastCodings;
  const best = negotiate(field, ['br', 'gzip']);
  const second = best === undefined ? undefined : negotiate(field, [best === 'br' ? 'gzip' : 'br']);
  lastField = field;
  lastCodings = [best, second].filter((coding) => coding !== undefined);
  return lastCodings;
}
