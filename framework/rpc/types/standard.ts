// Types: asks a Standard Schema of any vendor for its JSON Schema.
import { canonicalText } from './canonical.js';
import { fromJsonSchema, type JsonSchema } from './from-json-schema.js';
import { renameRefs, visitRefs } from './resolve.js';
import { SchemaTypeError } from './schema-type-error.js';
import type { NamedTypes, WireType } from './wire-type.js';

export { SchemaTypeError } from './schema-type-error.js';

/** What is read of a Standard Schema (standardschema.dev/json-schema). */
interface StandardJsonSchema {
  readonly '~standard'?: {
    readonly vendor?: unknown;
    readonly jsonSchema?: Readonly<
      Partial<Record<'input' | 'output', (options: { target: string }) => unknown>>
    >;
  };
}

/** A schema's type, and the named types that it refers to. */
export interface SchemaTypes {
  readonly type: WireType;
  readonly named: NamedTypes;
}

const TARGET = 'draft-2020-12';

/**
 * The type that a schema takes or gives. A type with an id whose values differ before and after the schema is
 * named `<id>Input` where it is taken.
 *
 * @param fallback the name of a type that holds itself and has no id.
 * @throws SchemaTypeError with the remedy where the vendor gives no JSON Schema, or the schema has no form in JSON.
 */
export function schemaTypes(schema: unknown, io: 'input' | 'output', fallback?: string): SchemaTypes {
  const made = convert(schema, io, fallback);
  if (io === 'output' || Object.keys(made.named).length === 0) return made;
  return renameInputs(made, outputNames(schema, fallback));
}

function convert(schema: unknown, io: 'input' | 'output', fallback: string | undefined): SchemaTypes {
  const named: Record<string, WireType> = Object.create(null);
  return { type: fromJsonSchema(jsonSchema(schema, io), named, { io, fallback }), named };
}

/** What cannot be told of the output has no name there to differ from. */
function outputNames(schema: unknown, fallback: string | undefined): NamedTypes {
  try {
    return convert(schema, 'output', fallback).named;
  } catch (error) {
    if (error instanceof SchemaTypeError) return {};
    throw error;
  }
}

function jsonSchema(schema: unknown, io: 'input' | 'output'): JsonSchema {
  const standard = (schema as StandardJsonSchema | null | undefined)?.['~standard'];
  const vendor = typeof standard?.vendor === 'string' ? standard.vendor : 'unknown';
  const make = standard?.jsonSchema?.[io];
  if (typeof make !== 'function') throw new SchemaTypeError(noJsonSchema(vendor));
  try {
    return make({ target: TARGET }) as JsonSchema;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const message = `the ${io} of a schema of ${vendor} has no JSON Schema: ${reason.trim()}${remedy(reason, io)}`;
    throw new SchemaTypeError(message, { cause: error });
  }
}

function noJsonSchema(vendor: string): string {
  const problem = `a schema of ${vendor} does not tell its JSON Schema`;
  if (vendor === 'valibot') {
    return `${problem}; wrap it in toStandardJsonSchema() of @valibot/to-json-schema`;
  }
  if (vendor === 'zod') return `${problem}; install zod 4.2 or newer`;
  return `${problem} by '~standard.jsonSchema'; take zod 4.2, arktype 2.2, valibot with @valibot/to-json-schema, or type strings`;
}

function remedy(reason: string, io: 'input' | 'output'): string {
  if (/date/i.test(reason)) {
    return io === 'input'
      ? '; a string arrives: take z.iso.datetime(), or a codec from it to a Date'
      : '; a string is sent: give z.iso.datetime() and a Date as its text';
  }
  if (/void|undefined/i.test(reason)) return '; leave the schema out, or take null';
  if (/transform/i.test(reason)) return '; say what comes out: pipe it into a schema, or take a codec';
  return '; take a type that JSON has';
}

/** The names whose input is another type than their output, and those that lead to one. */
function renameInputs({ type, named }: SchemaTypes, outputs: NamedTypes): SchemaTypes {
  const isShared = (name: string): boolean => Object.hasOwn(outputs, name);
  const differing = new Set<string>();
  for (const [name, one] of Object.entries(named)) {
    const output = isShared(name) ? outputs[name] : undefined;
    if (output && canonicalText(output) !== canonicalText(one)) differing.add(name);
  }
  for (let before = -1; before !== differing.size; ) {
    before = differing.size;
    for (const [name, one] of Object.entries(named)) {
      visitRefs(one, (ref) => {
        if (differing.has(ref) && isShared(name)) differing.add(name);
      });
    }
  }
  const rename = (name: string): string => (differing.has(name) ? `${name}Input` : name);
  const renamed: Record<string, WireType> = Object.create(null);
  for (const [name, one] of Object.entries(named)) renamed[rename(name)] = renameRefs(one, rename);
  return { type: renameRefs(type, rename), named: renamed };
}
