// The page about an API: one OpenAPI document of the routes of an App and of its procedures, for other programs.
import type { OpenApiObject } from '../../docs-page/serve-docs.js';

type Fields = Readonly<Record<string, unknown>>;
const COMPONENTS = '#/components/schemas/';

/**
 * The first document with the paths of the others. Of different schemas with one name, that of the other document gets
 * another name; so do operations.
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
  const ids = new Set(operationIds(document));
  const paths = Object.entries((other.paths ?? {}) as Fields).map(([path, item]) => [
    path,
    withIds(renamed(item) as Fields, ids),
  ]);
  return {
    ...document,
    paths: withPaths((document.paths ?? {}) as Fields, Object.fromEntries(paths) as Fields),
    components: {
      schemas: { ...own.schemas, ...(Object.fromEntries(schemas) as Fields) },
      securitySchemes: { ...more.securitySchemes, ...own.securitySchemes },
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

function withIds(item: Fields, taken: Set<unknown>): Fields {
  const entries = Object.entries(item).map(([method, operation]) => {
    const { operationId, ...rest } = operation as Fields;
    const id = taken.has(operationId) ? `rpc.${String(operationId)}` : operationId;
    taken.add(id);
    return [method, { operationId: id, ...rest }];
  });
  return Object.fromEntries(entries) as Fields;
}

/** A route and a procedure may have one path, with different methods. */
function withPaths(own: Fields, more: Fields): Fields {
  const all: Record<string, unknown> = { ...own };
  for (const [path, item] of Object.entries(more))
    all[path] = { ...(item as Fields), ...(own[path] as Fields | undefined) };
  return Object.fromEntries(Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1)));
}
