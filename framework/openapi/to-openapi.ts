// Types: prints wire types as schemas of OpenAPI 3.0.
import { order } from '../wire/canonical.js';
import { discriminantOf, isNever, membersOf } from '../wire/union-of.js';
import type {
  Json,
  LiteralType,
  NamedTypes,
  ObjectType,
  TupleType,
  UnionType,
  WireField,
  WireNotes,
  WireRules,
  WireType,
} from '../wire/wire-type.js';

/** A Schema Object of OpenAPI 3.0. */
export type OpenApiSchema = { readonly [keyword: string]: Json };

/** The same while it is being written. */
type Draft = { [keyword: string]: Json };

/** The keywords of JSON Schema that OpenAPI 3.0 supports too; its `exclusiveMinimum` has another meaning. */
const RULES: ReadonlySet<string> = new Set(
  'minLength maxLength pattern format minimum maximum multipleOf minItems maxItems uniqueItems minProperties maxProperties allOf'.split(
    ' ',
  ),
);

/** OpenAPI 3.0 has no null type. */
const nullSchema: OpenApiSchema = { type: 'string', nullable: true, enum: [null] };

/** A named type's name under `components.schemas`. */
export function componentName(name: string): string {
  return name.replace(/[^\w.-]/g, '_');
}

/** The schema of a type; references lead to `#/components/schemas/…`. */
export function toOpenApi(type: WireType, named: NamedTypes): OpenApiSchema {
  const schema = withRules(bare(type, named), type.rules);
  return described(schema, type.description, type.notes);
}

/** References in OpenAPI 3.0 cannot have siblings. */
function described(schema: OpenApiSchema, description: string | undefined, notes?: WireNotes): OpenApiSchema {
  if (description === undefined && notes === undefined) return schema;
  const { examples, ...others } = notes ?? {};
  const more: OpenApiSchema = {
    ...others,
    ...(description !== undefined && { description }),
    // OpenAPI 3.0 has one example.
    ...(examples?.[0] !== undefined && { example: examples[0] }),
  };
  return '$ref' in schema ? { ...more, allOf: [schema] } : { ...schema, ...more };
}

function bare(type: WireType, named: NamedTypes): OpenApiSchema {
  switch (type.kind) {
    case 'unknown':
      return {};
    case 'void':
    case 'null':
      return nullSchema;
    case 'file':
      return { type: 'string', format: 'binary' };
    case 'literal':
      return literals([type]);
    case 'ref':
      return { $ref: `#/components/schemas/${componentName(type.name)}` };
    case 'array':
      return { type: 'array', items: toOpenApi(type.items, named) };
    case 'tuple':
      return tuple(type, named);
    case 'object':
      return object(type, named);
    case 'union':
      return union(type, named);
    default:
      return { type: type.kind };
  }
}

function withRules(schema: OpenApiSchema, rules: WireRules | undefined): OpenApiSchema {
  if (rules === undefined || '$ref' in schema) return schema;
  const made: Draft = { ...schema };
  for (const [name, value] of Object.entries(rules)) if (RULES.has(name)) made[name] = value;
  exclusive(made, rules, 'minimum', 'exclusiveMinimum', Math.max);
  exclusive(made, rules, 'maximum', 'exclusiveMaximum', Math.min);
  return made;
}

/** A separate number in JSON Schema, a flag next to the bound in OpenAPI 3.0; the tighter bound is used. */
function exclusive(
  schema: Draft,
  rules: WireRules,
  bound: string,
  flag: string,
  tighter: (a: number, b: number) => number,
): void {
  const limit = rules[flag];
  if (typeof limit !== 'number') return;
  const other = rules[bound];
  if (typeof other === 'number' && other !== limit && tighter(other, limit) === other) return;
  schema[bound] = limit;
  schema[flag] = true;
}

function literals(types: readonly LiteralType[]): OpenApiSchema {
  const values = types.map(({ value }) => value);
  return { type: typeof values[0], enum: values.sort(order) };
}

/** OpenAPI 3.0 has no tuples: each item may be at any position. */
function tuple({ items, required = items.length, rest }: TupleType, named: NamedTypes): OpenApiSchema {
  const all = rest ? [...items, rest] : items;
  const schemas = unique(all.map((item) => toOpenApi(item, named)));
  const [only] = schemas;
  // If one item may have any type, the types of the others have no effect.
  const takesAny = schemas.some((schema) => Object.keys(schema).length === 0);
  return {
    type: 'array',
    items: takesAny || only === undefined ? {} : schemas.length > 1 ? { anyOf: schemas } : only,
    minItems: required,
    ...(!rest && { maxItems: items.length }),
  };
}

function object(type: ObjectType, named: NamedTypes): OpenApiSchema {
  // Those that must be given come first, in forms too; otherwise the order says nothing, and does not change by itself.
  const fields = [...type.fields].sort(
    (a, b) => Number(a.isOptional) - Number(b.isOptional) || order(a.name, b.name),
  );
  const required = fields.filter(({ isOptional }) => !isOptional).map(({ name }) => name);
  // Without a prototype, because a field may be called __proto__.
  const properties: Draft = Object.create(null);
  for (const field of fields) properties[field.name] = property(field, named);
  return {
    type: 'object',
    ...(fields.length > 0 && { properties }),
    ...(required.length > 0 && { required }),
    ...(type.rules?.additionalProperties === false && { additionalProperties: false }),
    ...(type.values && {
      additionalProperties: type.values.kind === 'unknown' ? true : toOpenApi(type.values, named),
    }),
  };
}

function property({ type, description }: WireField, named: NamedTypes): OpenApiSchema {
  return described(toOpenApi(type, named), description);
}

function union(type: UnionType, named: NamedTypes): OpenApiSchema {
  if (isNever(type)) return { not: {} };
  const members = membersOf(type).filter(({ kind }) => kind !== 'void');
  const values = members.filter((one) => one.kind !== 'null');
  const isNullable = values.length < members.length;
  if (values.length === 0) return nullSchema;
  const schemas = alternatives(values, named);
  const [only] = schemas;
  if (schemas.length === 1 && only !== undefined) return isNullable ? nullable(only) : only;
  return { anyOf: isNullable ? [...schemas, nullSchema] : schemas };
}

function nullable(schema: OpenApiSchema): OpenApiSchema {
  if (Object.keys(schema).length === 0) return schema;
  // `nullable` has an effect only next to `type`.
  if (!('type' in schema)) return { anyOf: [schema, nullSchema] };
  const values = schema.enum;
  return { ...schema, nullable: true, ...(Array.isArray(values) && { enum: [...values, null] }) };
}

/** One schema for the literals of each kind, one for objects with a discriminant, one for each other member. */
function alternatives(members: readonly WireType[], named: NamedTypes): OpenApiSchema[] {
  const tagged = discriminated(members, named);
  if (tagged) return [tagged];
  const schemas: OpenApiSchema[] = [];
  for (const kind of ['string', 'number', 'boolean']) {
    const found = members.filter((one) => one.kind === 'literal' && typeof one.value === kind);
    if (found.length > 0) schemas.push(literals(found as LiteralType[]));
  }
  const others = members.filter(({ kind }) => kind !== 'literal').map((one) => toOpenApi(one, named));
  return unique([...schemas, ...others].sort((a, b) => order(JSON.stringify(a), JSON.stringify(b))));
}

function discriminated(members: readonly WireType[], named: NamedTypes): OpenApiSchema | undefined {
  const refs = members.filter((one) => one.kind === 'ref');
  if (refs.length < members.length) return undefined;
  const discriminant = discriminantOf(members, named);
  if (discriminant === undefined) return undefined;
  const targets = new Map<WireType, string>(
    refs.map((one) => [one, `#/components/schemas/${componentName(one.name)}`]),
  );
  const mapping: Draft = Object.create(null);
  for (const [value, member] of [...discriminant.members].sort(([a], [b]) => order(a, b))) {
    // The keys of a mapping are strings.
    if (typeof value !== 'string') return undefined;
    mapping[value] = targets.get(member) ?? '';
  }
  const oneOf = [...targets.values()].sort().map(($ref) => ({ $ref }));
  return { oneOf, discriminator: { propertyName: discriminant.field, mapping } };
}

function unique(schemas: readonly OpenApiSchema[]): OpenApiSchema[] {
  return [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
}
