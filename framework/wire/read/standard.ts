// Types: gets the JSON Schema of a Standard Schema of any vendor.
import { canonicalText } from '../canonical.js';
import { renameRefs, visitRefs } from '../resolve.js';
import type { NamedTypes, WireType } from '../wire-type.js';
import { fromJsonSchema, type JsonSchema, type UnrepresentablePart } from './from-json-schema.js';
import { SchemaTypeError } from './schema-type-error.js';
import { NO_VALUE, vendorOptions } from './vendor-options.js';

export { SchemaTypeError } from './schema-type-error.js';

/** The part of a Standard Schema that is used (standardschema.dev/json-schema). */
interface StandardJsonSchema {
  readonly '~standard'?: {
    readonly vendor?: unknown;
    readonly jsonSchema?: Readonly<
      Partial<Record<'input' | 'output', (options: { target: string; libraryOptions?: object }) => unknown>>
    >;
  };
}

/** A schema's type, and the named types that it refers to. */
export interface SchemaTypes {
  readonly type: WireType;
  readonly named: NamedTypes;
  /** The parts that JSON cannot represent, which are `unknown` in the type. */
  readonly unrepresentable: readonly UnrepresentablePart[];
}

const TARGET = 'draft-2020-12';

/**
 * The input or output type of a schema. A type with an id whose input and output differ is named `<id>Input` in
 * inputs. A Date is a string of the format `date-time`.
 *
 * @param fallback the name for a recursive type without an id
 * @throws SchemaTypeError with the remedy if the vendor provides no JSON Schema, or JSON cannot represent the schema
 * as a whole
 */
export function schemaTypes(schema: unknown, io: 'input' | 'output', fallback?: string): SchemaTypes {
  const made = convert(schema, io, fallback);
  // Stryker disable next-line ConditionalExpression,LogicalOperator: spares a conversion where no name can differ
  if (io === 'output' || Object.keys(made.named).length === 0) return made;
  return renameInputs(made, outputNames(schema, fallback));
}

function convert(schema: unknown, io: 'input' | 'output', fallback: string | undefined): SchemaTypes {
  const named: Record<string, WireType> = Object.create(null);
  const { vendor, json } = jsonSchema(schema, io);
  const unrepresentable: UnrepresentablePart[] = [];
  const type = fromJsonSchema(json, named, { io, fallback, unrepresentable });
  const whole = unrepresentable.find(({ path }) => path === '');
  if (whole !== undefined) {
    const { what } = whole;
    throw Object.assign(new SchemaTypeError(noForm(vendor, io, what)), { hasNoValue: what === NO_VALUE });
  }
  return { type, named, unrepresentable };
}

/** Empty if the output cannot be represented: then it has no names that could differ. */
function outputNames(schema: unknown, fallback: string | undefined): NamedTypes {
  try {
    return convert(schema, 'output', fallback).named;
  } catch (error) {
    if (error instanceof SchemaTypeError) return {};
    throw error;
  }
}

function jsonSchema(schema: unknown, io: 'input' | 'output'): { vendor: string; json: JsonSchema } {
  const standard = (schema as StandardJsonSchema | null | undefined)?.['~standard'];
  const vendor = typeof standard?.vendor === 'string' ? standard.vendor : 'unknown';
  const make = standard?.jsonSchema?.[io];
  if (typeof make !== 'function') throw new SchemaTypeError(noJsonSchema(vendor));
  const libraryOptions = vendorOptions(vendor, io);
  try {
    return {
      vendor,
      json: make({ target: TARGET, ...(libraryOptions && { libraryOptions }) }) as JsonSchema,
    };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new SchemaTypeError(noForm(vendor, io, reason.trim()), { cause: error });
  }
}

function noForm(vendor: string, io: 'input' | 'output', what: string): string {
  return `the ${io} of a schema of ${vendor} has no JSON Schema: ${what}; ${unrepresentableRemedy(what)}`;
}

function noJsonSchema(vendor: string): string {
  const problem = `a schema of ${vendor} does not provide its JSON Schema`;
  if (vendor === 'valibot') {
    return `${problem}; wrap it in toStandardJsonSchema() of @valibot/to-json-schema`;
  }
  if (vendor === 'zod') return `${problem}; install zod 4.2 or newer`;
  return `${problem} by '~standard.jsonSchema'; use zod 4.2, arktype 2.2, valibot with @valibot/to-json-schema, or type strings`;
}

/** What to write instead of a type that JSON cannot represent. */
export function unrepresentableRemedy(what: string): string {
  if (what === NO_VALUE || /void|undefined/i.test(what)) return 'leave the schema out, or use null';
  if (/bigint/i.test(what)) return 'use a string, and convert it to a bigint with a codec or a transform';
  if (/a file/.test(what)) return 'return where it can be fetched from, such as a URL of a route';
  if (/result of|transform|morph/i.test(what))
    return 'declare the output: pipe it into a schema, or use a codec';
  return 'use a type that JSON has';
}

/** The names whose input and output types differ, and the names that refer to them. */
function renameInputs({ type, named, unrepresentable }: SchemaTypes, outputs: NamedTypes): SchemaTypes {
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
  return { type: renameRefs(type, rename), named: renamed, unrepresentable };
}
