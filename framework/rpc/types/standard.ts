// Types: asks a Standard Schema of any vendor for its JSON Schema.
import { canonicalText } from './canonical.js';
import { fromJsonSchema, type JsonSchema, type UntoldPart } from './from-json-schema.js';
import { renameRefs, visitRefs } from './resolve.js';
import { SchemaTypeError } from './schema-type-error.js';
import { NO_VALUE, vendorOptions } from './vendor-options.js';
import type { NamedTypes, WireType } from './wire-type.js';

export { SchemaTypeError } from './schema-type-error.js';

/** What is read of a Standard Schema (standardschema.dev/json-schema). */
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
  /** The parts that JSON has no form for, which are `unknown` in the type. */
  readonly untold: readonly UntoldPart[];
}

const TARGET = 'draft-2020-12';

/**
 * The type that a schema takes or gives. A type with an id whose values differ before and after the schema is
 * named `<id>Input` where it is taken. A Date is a text of the format `date-time`.
 *
 * @param fallback the name of a type that holds itself and has no id.
 * @throws SchemaTypeError with the remedy where the vendor gives no JSON Schema, or the schema as a whole has no
 * form in JSON.
 */
export function schemaTypes(schema: unknown, io: 'input' | 'output', fallback?: string): SchemaTypes {
  const made = convert(schema, io, fallback);
  if (io === 'output' || Object.keys(made.named).length === 0) return made;
  return renameInputs(made, outputNames(schema, fallback));
}

function convert(schema: unknown, io: 'input' | 'output', fallback: string | undefined): SchemaTypes {
  const named: Record<string, WireType> = Object.create(null);
  const { vendor, json } = jsonSchema(schema, io);
  const untold: UntoldPart[] = [];
  const type = fromJsonSchema(json, named, { io, fallback, untold });
  const whole = untold.find(({ path }) => path === '');
  if (whole !== undefined) throw new SchemaTypeError(noForm(vendor, io, whole.what));
  return { type, named, untold };
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
  return `the ${io} of a schema of ${vendor} has no JSON Schema: ${what}; ${untoldRemedy(what)}`;
}

function noJsonSchema(vendor: string): string {
  const problem = `a schema of ${vendor} does not tell its JSON Schema`;
  if (vendor === 'valibot') {
    return `${problem}; wrap it in toStandardJsonSchema() of @valibot/to-json-schema`;
  }
  if (vendor === 'zod') return `${problem}; install zod 4.2 or newer`;
  return `${problem} by '~standard.jsonSchema'; take zod 4.2, arktype 2.2, valibot with @valibot/to-json-schema, or type strings`;
}

/** What to write in place of something that JSON has no form for. */
export function untoldRemedy(what: string): string {
  if (what === NO_VALUE || /void|undefined/i.test(what)) return 'leave the schema out, or take null';
  if (/bigint/i.test(what)) return 'take a text, and make the bigint of it by a codec or a transform';
  if (/result of|transform|morph/i.test(what))
    return 'say what comes out: pipe it into a schema, or take a codec';
  return 'take a type that JSON has';
}

/** The names whose input is another type than their output, and those that lead to one. */
function renameInputs({ type, named, untold }: SchemaTypes, outputs: NamedTypes): SchemaTypes {
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
  return { type: renameRefs(type, rename), named: renamed, untold };
}
