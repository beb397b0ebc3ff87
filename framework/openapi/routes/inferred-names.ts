// OpenAPI: the names of inferred types in a document, beside those of schemas.
import { canonicalText, shapeText } from '../../wire/canonical.js';
import { visitRefs } from '../../wire/resolve.js';
import type { NamedTypes, WireType } from '../../wire/wire-type.js';

/**
 * The names under which a document has the types that a type refers to. A schema of the same name and shape stands for
 * both; a type that differs from it is named after its use: `UserAnswer`.
 *
 * @param taken the types of schemas
 */
export function documentNames(
  type: WireType,
  inferred: NamedTypes,
  taken: NamedTypes,
): ReadonlyMap<string, string> {
  const reached = reachedNames(type, inferred);
  const others = new Set<string>();
  const differs = (name: string): boolean => {
    const own = inferred[name];
    const schema = taken[name];
    if (own === undefined || schema === undefined) return false;
    if (shapeText(own) !== shapeText(schema) && canonicalText(own) !== canonicalText(schema)) return true;
    return [...reachedNames(own, inferred)].some((one) => others.has(one));
  };
  // A type that refers to a renamed one is another type too.
  for (let before = -1; before < others.size; ) {
    before = others.size;
    for (const name of reached) if (differs(name)) others.add(name);
  }
  return new Map(
    [...reached].map((name) => [name, others.has(name) ? freeName(name, { ...inferred, ...taken }) : name]),
  );
}

function reachedNames(type: WireType, named: NamedTypes): Set<string> {
  const seen = new Set<string>();
  const open = [type];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    visitRefs(next, (name) => {
      const target = named[name];
      if (target !== undefined && !seen.has(name)) open.push(target);
      seen.add(name);
    });
  }
  return seen;
}

function freeName(name: string, taken: NamedTypes): string {
  let free = `${name}Answer`;
  for (let count = 2; Object.hasOwn(taken, free); count += 1) free = `${name}Answer${count}`;
  return free;
}

/** The type with other names for what it refers to. */
export function renamed(type: WireType, names: ReadonlyMap<string, string>): WireType {
  const again = (one: WireType): WireType => renamed(one, names);
  switch (type.kind) {
    case 'ref':
      return { ...type, name: names.get(type.name) ?? type.name };
    case 'array':
      return { ...type, items: again(type.items) };
    case 'tuple':
      return { ...type, items: type.items.map(again), ...(type.rest && { rest: again(type.rest) }) };
    case 'union':
      return { ...type, members: type.members.map(again) };
    case 'object':
      return {
        ...type,
        fields: type.fields.map((field) => ({ ...field, type: again(field.type) })),
        ...(type.values && { values: again(type.values) }),
      };
    default:
      return type;
  }
}
