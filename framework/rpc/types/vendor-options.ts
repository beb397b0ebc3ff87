// Types: what vendors are asked for beyond their JSON Schema: dates as texts, and a mark in place of an exception
// where JSON has nothing for a schema, so that one field costs only itself.

/** Keyword of a text that the schema wants as a Date. */
export const DATE_KEYWORD = 'x-fw-date';

/** Keyword of a schema that JSON has nothing for, with what it is. */
export const UNTOLD_KEYWORD = 'x-fw-untold';

/** The JSON Schema of what no value is: a union leaves it out. */
const NEVER = { not: {} } as const;

/** What is untold of a schema that takes nothing at all. */
export const NO_VALUE = 'no value';

type Fragment = Record<string, unknown>;

/** What is read of a zod 4 schema. */
interface ZodContext {
  readonly zodSchema: {
    readonly _zod: { readonly def: { readonly type: string; readonly coerce?: boolean } };
  };
  /** To be changed in place. */
  readonly jsonSchema: Fragment;
  readonly path: readonly unknown[];
}

/** By `def.type` of zod 4: what JSON lacks. */
const ZOD_UNTOLD: Readonly<Record<string, string>> = {
  bigint: 'a bigint',
  custom: 'a check of its own',
  function: 'a function',
  map: 'a Map',
  nan: 'NaN',
  set: 'a Set',
  symbol: 'a symbol',
  transform: 'the result of a transform',
};

/** https://zod.dev/json-schema */
const zod = {
  unrepresentable: 'any',
  override({ zodSchema, jsonSchema, path }: ZodContext): void {
    const { type, coerce } = zodSchema._zod.def;
    if (type === 'date') Object.assign(jsonSchema, date(coerce !== true));
    else if (type === 'undefined' || type === 'void') {
      Object.assign(jsonSchema, path.length > 0 ? NEVER : untold(NO_VALUE));
    } else if (Object.hasOwn(ZOD_UNTOLD, type)) Object.assign(jsonSchema, untold(ZOD_UNTOLD[type]));
  },
};

/** What is read of a valibot schema or action, and of its conversion. */
interface ValibotContext {
  readonly valibotSchema?: { readonly type: string };
  readonly valibotAction?: { readonly kind: string; readonly type: string };
  readonly jsonSchema: Fragment;
  readonly errors?: readonly string[] | undefined;
}

/** https://github.com/open-circle/valibot/tree/main/packages/to-json-schema */
function valibot(io: 'input' | 'output') {
  return {
    errorMode: 'ignore',
    overrideSchema({ valibotSchema, errors }: ValibotContext): Fragment | undefined {
      const type = valibotSchema?.type ?? '';
      if (type === 'date') return date(true);
      if (type === 'undefined' || type === 'undefined_' || type === 'void') return NEVER;
      return errors === undefined || errors.length === 0
        ? undefined
        : untold(`a schema of the kind '${type}'`);
    },
    overrideAction({ valibotAction, errors }: ValibotContext): Fragment | undefined {
      if (errors === undefined || errors.length === 0) return undefined;
      // Checks narrow what the schema says; what a transformation gives, only the program knows.
      const isUntold = io === 'output' && valibotAction?.kind === 'transformation';
      return isUntold ? untold(`the result of '${valibotAction.type}'`) : undefined;
    },
  };
}

/** What is read of a part that arktype has no JSON Schema for. */
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
const arktype = {
  fallback: {
    date: () => date(true),
    // Checks narrow what the base says.
    predicate: ({ base }: ArktypeContext) => base,
    morph: ({ base }: ArktypeContext) => ({ ...base, ...untold('the result of a morph') }),
    unit: ({ base, unit }: ArktypeContext) =>
      unit === undefined ? NEVER : { ...base, ...untold(`the value ${String(unit)}`) },
    default: ({ base, code, domain, proto }: ArktypeContext) => {
      return { ...base, ...untold(`a ${domain ?? proto?.name ?? code}`) };
    },
  },
};

/** The `libraryOptions` of `~standard.jsonSchema` for a vendor; other vendors are asked for nothing more. */
export function vendorOptions(vendor: string, io: 'input' | 'output'): object | undefined {
  if (vendor === 'zod') return zod;
  if (vendor === 'valibot') return valibot(io);
  return vendor === 'arktype' ? arktype : undefined;
}

/** @param isMade the schema wants a Date where a text arrives; others make one of the text themselves. */
function date(isMade: boolean): Fragment {
  return { type: 'string', format: 'date-time', ...(isMade && { [DATE_KEYWORD]: true }) };
}

function untold(what: string | undefined): Fragment {
  return { [UNTOLD_KEYWORD]: what };
}
