// OpenAPI: the parameters of a query. OpenAPI requires unique names, also if the input is a union of objects.
import { unionOf } from '../wire/union-of.js';
import type { NamedTypes, ObjectType, WireField, WireType } from '../wire/wire-type.js';

/** The fields of an input, each once; of several objects, the fields that all of them require are required. */
export function fieldsOf(input: WireType, named: NamedTypes): readonly WireField[] {
  const objects = objectsOf(input, named, new Set());
  const found = new Map<string, WireField[]>();
  for (const { fields } of objects) {
    for (const field of fields) found.set(field.name, [...(found.get(field.name) ?? []), field]);
  }
  const isAlwaysThere = !mayBeNothing(input);
  return [...found.values()].map((fields) => {
    const [first] = fields as [WireField];
    const isRequired =
      isAlwaysThere && fields.length === objects.length && fields.every(({ isOptional }) => !isOptional);
    return { ...first, type: unionOf(fields.map(({ type }) => type)), isOptional: !isRequired };
  });
}

/** The objects that an input may be, with names resolved. */
function objectsOf(type: WireType, named: NamedTypes, seen: ReadonlySet<string>): ObjectType[] {
  if (type.kind === 'object') return [type];
  if (type.kind === 'union') return type.members.flatMap((member) => objectsOf(member, named, seen));
  const target = type.kind === 'ref' && !seen.has(type.name) ? named[type.name] : undefined;
  if (type.kind !== 'ref' || target === undefined) return [];
  return objectsOf(target, named, new Set(seen).add(type.name));
}

/** True for an input that may be absent, or null, which is sent in the same way. */
export function mayBeNothing(input: WireType): boolean {
  const members = input.kind === 'union' ? input.members : [input];
  return members.some(({ kind }) => kind === 'void' || kind === 'null');
}
