// Types: tells whether a query string can hold an input.
import { lookupIn, resolve } from './resolve.js';
import type { NamedTypes, WireType } from './wire-type.js';

const REMEDY = 'make it a mutation, or give it flat fields';

/** Why the input of a query cannot travel in a query string, with the remedy; undefined where it can. */
export function queryProblem(type: WireType, named: NamedTypes): string | undefined {
  return rootProblem(type, named, new Set());
}

function rootProblem(type: WireType, named: NamedTypes, seen: ReadonlySet<string>): string | undefined {
  if (type.kind === 'ref' && seen.has(type.name)) return undefined;
  const inside = type.kind === 'ref' ? new Set(seen).add(type.name) : seen;
  const target = resolve(type, lookupIn(named));
  if (target === undefined) return undefined;
  switch (target.kind) {
    case 'unknown':
    case 'void':
    // No key says so.
    case 'null':
      return undefined;
    case 'object': {
      for (const field of target.fields) {
        const problem = fieldProblem(field.type, named, true, new Set());
        if (problem) return `the field '${field.name}' is ${problem}, which a query cannot hold; ${REMEDY}`;
      }
      const problem = target.values && fieldProblem(target.values, named, true, new Set());
      return problem && `its values are ${problem}, which a query cannot hold; ${REMEDY}`;
    }
    case 'union':
      for (const member of target.members) {
        const problem = rootProblem(member, named, inside);
        if (problem) return problem;
      }
      return undefined;
    default:
      return `an input that is ${target.kind} has no names for a query; take an object, or make it a mutation`;
  }
}

function fieldProblem(
  type: WireType,
  named: NamedTypes,
  mayBeList: boolean,
  seen: ReadonlySet<string>,
): string | undefined {
  if (type.kind === 'ref' && seen.has(type.name)) return undefined;
  const inside = type.kind === 'ref' ? new Set(seen).add(type.name) : seen;
  const target = resolve(type, lookupIn(named));
  const first = (types: readonly WireType[], isList: boolean): string | undefined => {
    for (const one of types) {
      const problem = fieldProblem(one, named, isList, inside);
      if (problem) return problem;
    }
    return undefined;
  };
  switch (target?.kind) {
    case 'object':
      return 'an object';
    case 'array':
      return mayBeList ? first([target.items], false) : 'a list of lists';
    case 'tuple':
      if (!mayBeList) return 'a list of lists';
      return first(target.rest ? [...target.items, target.rest] : target.items, false);
    case 'union':
      return first(target.members, mayBeList);
    default:
      return undefined;
  }
}
