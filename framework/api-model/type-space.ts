// A model of an API: named types, which are found by their names when they are needed.

import { type CheckIssue, compileClosures } from '../wire/check/check-closures.js';
import { visitRefs } from '../wire/resolve.js';
import type { NamedTypes, WireType } from '../wire/wire-type.js';

export type Lookup = (name: string) => WireType | undefined;

/** The names that a type leads to, with their types. */
function reachedTypes(type: WireType, lookup: Lookup): NamedTypes {
  const found: Record<string, WireType> = Object.create(null);
  const open = [type];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    visitRefs(next, (name) => {
      if (Object.hasOwn(found, name)) return;
      const target = lookup(name) ?? { kind: 'unknown' };
      found[name] = target;
      open.push(target);
    });
  }
  return found;
}

export function lookupOf(named: NamedTypes): Lookup {
  return (name) => (Object.hasOwn(named, name) ? named[name] : undefined);
}

/** The type behind references; `unknown` if they lead nowhere. */
export function resolvedType(type: WireType, lookup: Lookup): WireType {
  let at: WireType | undefined = type;
  for (let step = 0; at?.kind === 'ref' && step < 50; step++) at = lookup(at.name);
  return at === undefined || at.kind === 'ref' ? { kind: 'unknown' } : at;
}

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
