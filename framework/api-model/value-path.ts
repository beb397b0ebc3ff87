// A model of an API: changes in the value of a form. Values are never changed in place, and their files are kept.

export type ValuePath = readonly (string | number)[];

/** The value with another one at the path; with undefined, a key is left out and an item removed. */
export function withAt(value: unknown, path: ValuePath, next: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return next;
  if (typeof key === 'number') {
    const list: unknown[] = Array.isArray(value) ? [...value] : [];
    if (rest.length === 0 && next === undefined) list.splice(key, 1);
    else list[key] = withAt(list[key], rest, next);
    return list;
  }
  const entries = new Map(Object.entries(isObject(value) ? value : {}));
  const inner = withAt(entries.get(key), rest, next);
  if (inner === undefined) entries.delete(key);
  else entries.set(key, inner);
  return Object.fromEntries(entries);
}

/** The value with an item that was not filled in yet; `withAt` would remove it. */
export function withItem(value: unknown, path: ValuePath, item: unknown): unknown {
  const list = valueAtPath(value, path);
  return withAt(value, path, [...(Array.isArray(list) ? list : []), item]);
}

export function valueAtPath(value: unknown, path: ValuePath): unknown {
  let at = value;
  for (const key of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as Readonly<Record<string | number, unknown>>)[key];
  }
  return at;
}

/** Renames a key and keeps its place. */
export function withKey(value: unknown, from: string, to: string): unknown {
  const entries = Object.entries(isObject(value) ? value : {});
  if (from !== to && entries.some(([key]) => key === to)) return value;
  return Object.fromEntries(entries.map(([key, one]) => [key === from ? to : key, one]));
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Blob);
}

export function pathKey(path: ValuePath): string {
  return JSON.stringify(path);
}

/** Whether there is a file in the value. */
export function holdsFile(value: unknown): boolean {
  if (value instanceof Blob) return true;
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsFile);
}
