// Types: options for the JSON Schema conversion of vendors: dates become strings, and schemas that JSON cannot
// represent get a mark instead of an exception, so that one such field does not affect the others.

/** The keyword of a string for which the schema expects a Date. */
export const DATE_KEYWORD = 'x-fw-date';

/** The keyword of a schema that JSON cannot represent, with a description of it. */
export const UNREPRESENTABLE_KEYWORD = 'x-fw-unrepresentable';

/** The keyword of a file, which only inputs have. */
export const FILE_KEYWORD = 'x-fw-file';

/** The JSON Schema without values; unions leave it out. */
const NEVER = { not: {} } as const;

/** The description of a schema that accepts no value. */
export const NO_VALUE = 'no value';

type Fragment = Record<string, unknown>;

/** The part of a zod 4 schema that is used. */
interface ZodContext {
  readonly zodSchema: {
    readonly _zod: {
      readonly def: { readonly type: string; readonly coerce?: boolean; readonly mode?: unknown };
      readonly bag?: { readonly Class?: unknown };
    };
  };
  /** The JSON Schema, which is changed in place. */
  readonly jsonSchema: Fragment;
  readonly path: readonly unknown[];
}

/** The types that JSON cannot represent, by `def.type` of zod 4. */
const ZOD_UNREPRESENTABLE: Readonly<Record<string, string>> = {
  bigint: 'a bigint',
  custom: 'a custom check',
  function: 'a function',
  map: 'a Map',
  nan: 'NaN',
  set: 'a Set',
  symbol: 'a symbol',
  transform: 'the result of a transform',
};

/** https://zod.dev/json-schema */
const zod = (io: 'input' | 'output') => ({
  unrepresentable: 'any',
  override({ zodSchema, jsonSchema, path }: ZodContext): void {
    const { def, bag } = zodSchema._zod;
    const { type, coerce, mode } = def;
    if (type === 'file' || isFileClass(bag?.Class)) Object.assign(jsonSchema, file(io));
    else if (type === 'date') Object.assign(jsonSchema, date(coerce !== true));
    else if (type === 'record' && mode === 'loose') loosen(jsonSchema);
    else if (type === 'undefined' || type === 'void') {
      Object.assign(jsonSchema, path.length > 0 ? NEVER : unrepresentable(NO_VALUE));
    } else if (Object.hasOwn(ZOD_UNREPRESENTABLE, type))
      Object.assign(jsonSchema, unrepresentable(ZOD_UNREPRESENTABLE[type]));
  },
});

/** The part of a valibot schema or action, and of its conversion, that is used. */
interface ValibotContext {
  readonly valibotSchema?: {
    readonly type: string;
    readonly class?: unknown;
    /** Of a record. */
    readonly key?: { readonly type: string };
  };
  readonly valibotAction?: { readonly kind: string; readonly type: string };
  readonly jsonSchema: Fragment;
  readonly errors?: readonly string[] | undefined;
}

/** The kinds of keys of valibot that are listed. */
const CLOSED: readonly unknown[] = ['picklist', 'enum', 'literal'];

/** https://github.com/open-circle/valibot/tree/main/packages/to-json-schema */
function valibot(io: 'input' | 'output') {
  return {
    errorMode: 'ignore',
    overrideSchema({ valibotSchema, jsonSchema, errors }: ValibotContext): Fragment | undefined {
      const type = valibotSchema?.type ?? '';
      if (type === 'date') return date(true);
      if (type === 'file' || type === 'blob' || isFileClass(valibotSchema?.class)) return file(io);
      if (type === 'undefined' || type === 'undefined_' || type === 'void') return NEVER;
      // Undefined is left out of JSON.
      if (type === 'undefinedable' && io === 'output') return { anyOf: [jsonSchema, NEVER] };
      // Its only fault are its keys, which the schema has all the same.
      if (type === 'record' && CLOSED.includes(valibotSchema?.key?.type)) return undefined;
      return errors === undefined || errors.length === 0
        ? undefined
        : unrepresentable(`a schema of the kind '${type}'`);
    },
    overrideAction({ valibotAction, errors }: ValibotContext): Fragment | undefined {
      if (errors === undefined || errors.length === 0) return undefined;
      // Checks only restrict the schema; the result type of a transformation is not known.
      const isUnrepresentable = io === 'output' && valibotAction?.kind === 'transformation';
      return isUnrepresentable ? unrepresentable(`the result of '${valibotAction.type}'`) : undefined;
    },
  };
}

/** A part of a schema for which arktype has no JSON Schema, as far as it is used. */
interface ArktypeContext {
  readonly code: string;
  readonly base: Fragment;
  /** Of the code `domain`, such as `bigint`. */
  readonly domain?: string;
  /** Of the code `proto`: the class. */
  readonly proto?: { readonly name: string };
  /** Of the code `unit`: the value. */
  readonly unit?: unknown;
}

/** https://arktype.io/docs/configuration#tojsonschema */
const arktype = (io: 'input' | 'output') => ({
  fallback: {
    date: () => date(true),
    // Checks only restrict the base.
    predicate: ({ base }: ArktypeContext) => base,
    morph: ({ base }: ArktypeContext) => ({ ...base, ...unrepresentable('the result of a morph') }),
    unit: ({ base, unit }: ArktypeContext) =>
      unit === undefined ? NEVER : { ...base, ...unrepresentable(`the value ${String(unit)}`) },
    default: ({ base, code, domain, proto }: ArktypeContext) => {
      if (isFileClass(proto)) return file(io);
      return { ...base, ...unrepresentable(`a ${domain ?? proto?.name ?? code}`) };
    },
  },
});

/** The `libraryOptions` of `~standard.jsonSchema` for a vendor; undefined for other vendors. */
export function vendorOptions(vendor: string, io: 'input' | 'output'): object | undefined {
  if (vendor === 'zod') return zod(io);
  if (vendor === 'valibot') return valibot(io);
  return vendor === 'arktype' ? arktype(io) : undefined;
}

/** A record of zod whose other keys are not checked: its listed keys are fields. */
function loosen(record: Fragment): void {
  const { propertyNames, additionalProperties } = record;
  const { enum: names } = Object(propertyNames) as { enum?: unknown };
  if (!Array.isArray(names)) return;
  delete record.propertyNames;
  record.properties = Object.fromEntries(names.map((name) => [name, additionalProperties]));
  record.additionalProperties = {};
}

/** @param isMade whether the schema expects a Date; other schemas convert the string themselves */
function date(isMade: boolean): Fragment {
  return { type: 'string', format: 'date-time', ...(isMade && { [DATE_KEYWORD]: true }) };
}

function isFileClass(type: unknown): boolean {
  return type === Blob || type === globalThis.File;
}

function file(io: 'input' | 'output'): Fragment {
  return io === 'input' ? { [FILE_KEYWORD]: true } : unrepresentable('a file');
}

function unrepresentable(what: string | undefined): Fragment {
  return { [UNREPRESENTABLE_KEYWORD]: what };
}
