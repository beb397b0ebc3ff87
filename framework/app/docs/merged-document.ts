// The page about an API: one OpenAPI document of the routes of an App and of its procedures, for other programs.
import type { OpenApiObject } from '../../docs-page/serve-docs.js';

type Fields = Readonly<Record<string, unknown>>;
const COMPONENTS = '#/components/schemas/';

/**
 * The first document with the paths of the others. Of different schemas with one name, that of the other document gets
 * another name; so do operations and security schemes.
 */
export function mergedDocument(document: OpenApiObject, others: readonly OpenApiObject[]): OpenApiObject {
  return others.reduce<OpenApiObject>(merged, document);
}

function merged(document: OpenApiObject, other: OpenApiObject): OpenApiObject {
  const own = componentsOf(document);
  const more = componentsOf(other);
  const names = new Map<string, string>();
  for (const [name, schema] of Object.entries(more.schemas)) {
    const isSame = !(name in own.schemas) || JSON.stringify(own.schemas[name]) === JSON.stringify(schema);
    if (!isSame)
      names.set(COMPONENTS + name, COMPONENTS + freeName(`Rpc${name}`, { ...own.schemas, ...more.schemas }));
  }
  const renamed = (value: unknown): unknown => withRefs(value, names);
  const schemas = Object.entries(more.schemas).map(([name, schema]) => {
    return [(names.get(COMPONENTS + name) ?? COMPONENTS + name).slice(COMPONENTS.length), renamed(schema)];
  });
  const schemes = schemeNames(own.securitySchemes, more.securitySchemes);
  const ids = new Set(operationIds(document));
  const paths = Object.entries((other.paths ?? {}) as Fields).map(([path, item]) => [
    path,
    withNames(renamed(item) as Fields, ids, schemes),
  ]);
  return {
    ...document,
    paths: withPaths((document.paths ?? {}) as Fields, Object.fromEntries(paths) as Fields),
    components: {
      schemas: { ...own.schemas, ...(Object.fromEntries(schemas) as Fields) },
      securitySchemes: { ...withKeys(more.securitySchemes, schemes), ...own.securitySchemes },
    },
  };
}

function componentsOf({ components }: OpenApiObject): {
  readonly schemas: Fields;
  readonly securitySchemes: Fields;
} {
  const { schemas = {}, securitySchemes = {} } = (components ?? {}) as Readonly<Record<string, Fields>>;
  return { schemas, securitySchemes };
}

function freeName(base: string, taken: Fields): string {
  let name = base;
  for (let count = 2; name in taken; count++) name = base + count;
  return name;
}

function withRefs(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return names.get(value) ?? value;
  if (Array.isArray(value)) return value.map((one) => withRefs(one, names));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withRefs(one, names)]));
}

function operationIds({ paths }: OpenApiObject): unknown[] {
  return Object.values((paths ?? {}) as Record<string, Fields>).flatMap((item) =>
    Object.values(item).map((operation) => (operation as Fields).operationId),
  );
}

type Names = ReadonlyMap<string, string>;

/** New names of the schemes whose name means another one, such as another header field, in the document. */
function schemeNames(own: Fields, more: Fields): Names {
  const names = new Map<string, string>();
  const isOther = (name: string, scheme: unknown): boolean =>
    Object.hasOwn(own, name) && JSON.stringify(own[name]) !== JSON.stringify(scheme);
  for (const [name, scheme] of Object.entries(more)) {
    if (!isOther(name, scheme)) continue;
    const base = `rpc${name.charAt(0).toUpperCase()}${name.slice(1)}`;
    let free = base;
    for (let count = 2; isOther(free, scheme) || Object.hasOwn(more, free); count++) free = base + count;
    names.set(name, free);
  }
  return names;
}

function withKeys(fields: Fields, names: Names): Fields {
  return Object.fromEntries(Object.entries(fields).map(([name, one]) => [names.get(name) ?? name, one]));
}

function withNames(item: Fields, taken: Set<unknown>, schemes: Names): Fields {
  const entries = Object.entries(item).map(([method, operation]) => {
    const { operationId, security, ...rest } = operation as Fields;
    const id = taken.has(operationId) ? freeId(`rpc.${String(operationId)}`, taken) : operationId;
    taken.add(id);
    const alternatives = (security as Fields[] | undefined)?.map((one) => withKeys(one, schemes));
    return [method, { operationId: id, ...rest, ...(alternatives && { security: alternatives }) }];
  });
  return Object.fromEntries(entries) as Fields;
}

function freeId(base: string, taken: ReadonlySet<unknown>): string {
  let id = base;
  for (let count = 2; taken.has(id); count++) id = base + count;
  return id;
}

/** A route and a procedure may have one path, with different methods. */
function withPaths(own: Fields, more: Fields): Fields {
  const all: Record<string, unknown> = { ...own };
  for (const [path, item] of Object.entries(more))
    all[path] = { ...(item as Fields), ...(own[path] as Fields | undefined) };
  return Object.fromEntries(Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1)));
}
