// Types: resolves references.
import type { NamedTypes, WireType } from './wire-type.js';

/** Returns the type of a name; undefined if it is unknown. */
export type Lookup = (name: string) => WireType | undefined;

export function lookupIn(named: NamedTypes): Lookup {
  return (name) => (Object.hasOwn(named, name) ? named[name] : undefined);
}

/** The type of a reference, or the type itself; undefined if a name is unknown or refers only to itself. */
export function resolve(type: WireType, lookup: Lookup): WireType | undefined {
  const seen = new Set<string>();
  let at: WireType | undefined = type;
  while (at?.kind === 'ref') {
    if (seen.has(at.name)) return undefined;
    seen.add(at.name);
    at = lookup(at.name);
  }
  return at;
}

/** Calls `visit` with every name that the type itself mentions. */
export function visitRefs(type: WireType, visit: (name: string) => void): void {
  switch (type.kind) {
    case 'ref':
      visit(type.name);
      break;
    case 'array':
      visitRefs(type.items, visit);
      break;
    case 'tuple':
      for (const item of type.items) visitRefs(item, visit);
      if (type.rest) visitRefs(type.rest, visit);
      break;
    case 'object':
      for (const field of type.fields) visitRefs(field.type, visit);
      if (type.values) visitRefs(type.values, visit);
      break;
    case 'union':
      for (const member of type.members) visitRefs(member, visit);
      break;
  }
}

/** A copy with other names in its references. */
export function renameRefs(type: WireType, rename: (name: string) => string): WireType {
  if (type.kind === 'ref') return { ...type, name: rename(type.name) };
  return mapParts(type, (one) => renameRefs(one, rename));
}

/** A copy with the types that are directly inside changed. */
export function mapParts(type: WireType, change: (part: WireType) => WireType): WireType {
  switch (type.kind) {
    case 'array':
      return { ...type, items: change(type.items) };
    case 'tuple':
      return { ...type, items: type.items.map(change), ...(type.rest && { rest: change(type.rest) }) };
    case 'object':
      return {
        ...type,
        fields: type.fields.map((field) => ({ ...field, type: change(field.type) })),
        ...(type.values && { values: change(type.values) }),
      };
    case 'union':
      return { ...type, members: type.members.map(change) };
    default:
      return type;
  }
}
