// The page about an API: checks what is filled in by its type, without code from strings, which the policy forbids.
import { type CheckIssue, compileClosures } from '../../../wire/check/check-closures.js';
import type { WireType } from '../../../wire/wire-type.js';
import { type Lookup, reachedTypes } from './type-space.js';

export type ValueCheck = (value: unknown) => readonly CheckIssue[];

/** Checks nothing if the type cannot be checked, such as for a pattern that is none. */
export function checkOf(type: WireType, lookup: Lookup): ValueCheck {
  try {
    const check = compileClosures(type, reachedTypes(type, lookup));
    return (value) => {
      const result = check(value);
      return 'issues' in result ? result.issues : [];
    };
  } catch {
    // Only the document is wrong, and its API decides in the end.
    return () => [];
  }
}
