// A model of an API: reads values of documents that may be anything.

export type Fields = Readonly<Record<string, unknown>>;

/** The value as an object; an empty one for anything else. */
export function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {};
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Own members only: a document may have a member called `constructor`. */
export function member(value: unknown, key: string): unknown {
  return isFields(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Undefined for everything but text that is not empty. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
