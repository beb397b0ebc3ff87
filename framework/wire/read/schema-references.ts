// Types: names and references of a JSON Schema, recursion included.
import { canonicalText } from '../canonical.js';
import { isTypeName } from '../known-names.js';
import { mapParts } from '../resolve.js';
import type { Json, WireNotes, WireRules, WireType } from '../wire-type.js';
import { SchemaTypeError } from './schema-type-error.js';

export type JsonSchema = boolean | Readonly<Record<string, unknown>>;
type Schema = Exclude<JsonSchema, boolean>;
type ReadBody = (schema: Schema, path: readonly string[]) => WireType;

/** Names that libraries generate; those of arktype differ between processes. */
const MADE_UP = /^(?:__schema\d+|\d+|(?:alias|union|morph|intersection|unit|proto|domain|type)\d+)$/;

interface Reading {
  readonly path: readonly string[];
  /** Set for a schema with a name, and for one that turned out to be recursive. */
  name: string | undefined;
}

export class SchemaReferences {
  readonly #root: JsonSchema;
  readonly #names: Record<string, WireType>;
  readonly #fallback: string;
  readonly #body: ReadBody;
  /** Schemas that are being read: a reference to one of them is a recursion. */
  readonly #open = new Map<Schema, Reading>();
  readonly #done = new Map<Schema, WireType>();
  readonly #keys = new Map<Schema, string>();
  readonly #taken = new Set<string>();

  constructor(root: JsonSchema, names: Record<string, WireType>, fallback: string, body: ReadBody) {
    this.#root = root;
    this.#names = names;
    this.#fallback = fallback;
    this.#body = body;
    const { $defs, definitions } = Object(root) as Schema;
    for (const list of [$defs, definitions]) {
      for (const [key, one] of Object.entries((list ?? {}) as Record<string, Schema>)) {
        if (!MADE_UP.test(key)) this.#keys.set(one, key);
      }
    }
  }

  /** The type of a schema, as a reference if it has a name. */
  named(schema: Schema, path: readonly string[]): WireType {
    const done = this.#done.get(schema);
    if (done) return done;
    const open = this.#open.get(schema);
    if (open) {
      open.name ??= this.#newName(open.path);
      return { kind: 'ref', name: open.name };
    }
    const id = schema.id ?? schema.$id ?? this.#keys.get(schema);
    const reading: Reading = { path, name: typeof id === 'string' ? typeName(id) : undefined };
    this.#open.set(schema, reading);
    const body = this.#body(schema, path);
    this.#open.delete(schema);
    const type = reading.name === undefined ? body : this.#define(reading.name, body);
    this.#done.set(schema, type);
    return type;
  }

  /** The schema that a reference leads to. */
  target(reference: unknown): JsonSchema {
    const target = typeof reference === 'string' ? this.#find(reference) : undefined;
    if (target === undefined) {
      throw new SchemaTypeError(
        `$ref ${JSON.stringify(reference)} leads to nothing in the schema; put the definition into its $defs`,
      );
    }
    return target as JsonSchema;
  }

  /** RFC 6901, in a fragment. */
  #find(reference: string): unknown {
    const [start, ...parts] = reference.split('/');
    if (start !== '#') return undefined;
    let at: unknown = this.#root;
    for (const part of parts) {
      const key = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
      if (at === null || typeof at !== 'object' || !Object.hasOwn(at, key)) return undefined;
      at = (at as Readonly<Record<string, unknown>>)[key];
    }
    return at;
  }

  #define(name: string, type: WireType): WireType {
    const known = Object.hasOwn(this.#names, name) ? this.#names[name] : undefined;
    if (known && canonicalText(known) !== canonicalText(type)) {
      throw new SchemaTypeError(`two types are named '${name}'; give one of them another id`);
    }
    this.#names[name] = withoutSides(type);
    return { kind: 'ref', name };
  }

  /** The fallback name for the schema itself; followed by the name of the field for a part of it. */
  #newName(path: readonly string[]): string {
    const words = path
      .filter((key) => !key.startsWith('['))
      .map((key) => key.replace(/\W/g, ''))
      .map((key) => key.charAt(0).toUpperCase() + key.slice(1));
    const base = this.#fallback + words.join('');
    let name = base;
    for (let count = 2; this.#taken.has(name); count++) name = `${base}${count}`;
    this.#taken.add(name);
    return name;
  }
}

/** A name that TypeScript can declare, made from an id: `user-item` becomes `UserItem`, a URL its last segment. */
function typeName(id: string): string {
  const last = id.split(/[/#]/).findLast((part) => part !== '') ?? id;
  const short = last.replace(/(?:\.schema)?\.json$/, '');
  if (isTypeName(short)) return short;
  const words = short.split(/[^\w$]/);
  const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  if (isTypeName(name)) return name;
  throw new SchemaTypeError(
    `the id '${id}' cannot name a TypeScript type; give the schema another one, such as 'User'`,
  );
}

export const SCALAR_KINDS = ['null', 'boolean', 'number', 'integer', 'string'] as const;

const STRING = ['minLength', 'maxLength', 'pattern', 'format', 'contentEncoding', 'contentMediaType'];
const NUMBER = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'];
const ARRAY = ['minItems', 'maxItems', 'uniqueItems'];
const OBJECT = ['minProperties', 'maxProperties'];
const ALL: readonly string[] = [...STRING, ...NUMBER, ...ARRAY, ...OBJECT];

/** The rules of a schema and of those parts of its `allOf` that have only rules. */
export function rulesOf(
  schema: Exclude<JsonSchema, boolean>,
  all: readonly JsonSchema[],
): WireRules | undefined {
  // The size of a tuple follows from its items.
  const isTuple = Array.isArray(schema.prefixItems);
  const rules: Record<string, Json> = {};
  for (const name of ALL) {
    const value = schema[name];
    if (value === undefined || (isTuple && ARRAY.includes(name) && name !== 'uniqueItems')) continue;
    rules[name] = value as Json;
  }
  const keys = schema.propertyNames;
  const pattern = keys !== null && typeof keys === 'object' && 'pattern' in keys && keys.pattern;
  if (typeof pattern === 'string') rules.propertyNames = { pattern };
  const parts = all.map(fixedRules).filter((one) => one !== undefined);
  if (parts.length > 0) rules.allOf = parts;
  return Object.keys(rules).length === 0 ? undefined : rules;
}

/** The rules of a schema that has only rules, as zod writes several patterns; undefined for other schemas. */
function fixedRules(schema: JsonSchema): WireRules | undefined {
  const names = Object.keys(schema);
  return names.length > 0 && names.every((name) => ALL.includes(name)) ? (schema as WireRules) : undefined;
}

/**
 * The annotations of a schema, without its description; undefined if it has none. An output has no defaults. In OpenAPI
 * `readOnly` means that no request has the field, and `writeOnly` that no response has it, but the schema of an input
 * demands what it names, as that of an output gives it: zod writes `readOnly` for `.readonly()`.
 */
export function notesOf(schema: Exclude<JsonSchema, boolean>, io: 'input' | 'output'): WireNotes | undefined {
  const { title, default: value, examples } = schema;
  const notes: Record<string, unknown> = {
    ...(typeof title === 'string' && title !== '' && { title }),
    ...(value !== undefined && io === 'input' && { default: value }),
    ...(Array.isArray(examples) && examples.length > 0 && { examples }),
  };
  const flags = ['deprecated', io === 'input' ? 'writeOnly' : 'readOnly'] as const;
  for (const name of flags) if (schema[name] === true) notes[name] = true;
  return Object.keys(notes).length === 0 ? undefined : (notes as WireNotes);
}

/** The type without `readOnly` and `writeOnly`: a named type may stand in inputs and in outputs. */
function withoutSides(type: WireType): WireType {
  const { notes, ...bare } = mapParts(type, withoutSides);
  const { readOnly: _, writeOnly: __, ...others } = notes ?? {};
  return Object.keys(others).length === 0 ? bare : { ...bare, notes: others };
}
