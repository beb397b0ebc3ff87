// Types: checks whether a query string can represent an input.
import { type Lookup, lookupIn, resolve } from '../resolve.js';
import { membersThrough } from '../union-of.js';
import type { NamedTypes, WireType } from '../wire-type.js';

const REMEDY = 'make it a mutation, or give it flat fields';

/** Why a query string cannot represent the input of a query, with the remedy; undefined if it can. */
export function queryProblem(type: WireType, named: NamedTypes): string | undefined {
  const lookup = lookupIn(named);
  return first(membersThrough(type, lookup), (one) => {
    const target = resolve(one, lookup);
    return target && inputProblem(target, lookup);
  });
}

function inputProblem(type: WireType, lookup: Lookup): string | undefined {
  switch (type.kind) {
    case 'unknown':
    case 'void':
    // Represented by no key.
    case 'null':
      return undefined;
    case 'object': {
      for (const field of type.fields) {
        const problem = fieldProblem(field.type, lookup);
        if (problem) return `the field '${field.name}' is ${problem}, which a query cannot hold; ${REMEDY}`;
      }
      const problem = type.values && fieldProblem(type.values, lookup);
      return problem && `its values are ${problem}, which a query cannot hold; ${REMEDY}`;
    }
    default:
      return `an input that is ${type.kind} has no names for a query; use an object, or make it a mutation`;
  }
}

function fieldProblem(type: WireType, lookup: Lookup): string | undefined {
  return first(membersThrough(type, lookup), (one) => {
    const target = resolve(one, lookup);
    if (target?.kind === 'array') return itemProblem([target.items], lookup);
    if (target?.kind === 'tuple') return itemProblem([...target.items, target.rest], lookup);
    if (target?.kind === 'file') return 'a file';
    return target?.kind === 'object' ? 'an object' : undefined;
  });
}

function itemProblem(items: readonly (WireType | undefined)[], lookup: Lookup): string | undefined {
  const members = items.flatMap((one) => (one ? membersThrough(one, lookup) : []));
  return first(members, (one) => {
    const kind = resolve(one, lookup)?.kind;
    if (kind === 'array' || kind === 'tuple') return 'a list of lists';
    if (kind === 'file') return 'a file';
    return kind === 'object' ? 'an object' : undefined;
  });
}

function first(
  types: readonly WireType[],
  problemOf: (type: WireType) => string | undefined,
): string | undefined {
  for (const one of types) {
    const problem = problemOf(one);
    if (problem) return problem;
  }
  return undefined;
}
