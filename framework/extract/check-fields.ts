// Extractors of fields: checks the values of a query or a form against a schema, which decides what is a list.

import type { FwError } from '../http/errors.js';
import { chained } from '../promises.js';
import { check, type Issues } from '../schema/check.js';
import { keyOf } from '../schema/rejection.js';
import type { StandardSchemaV1 } from '../schema/standard-schema.js';

/** The values of each field, in the order in which they were sent. */
export type Fields<Value> = Readonly<Record<string, readonly Value[]>>;

/**
 * A Standard Schema does not expose what it expects, only what it refuses. So keys that occur once and were refused
 * are tried as arrays; those that are refused as arrays too are single values again in the last run, so that its
 * issues describe what the client sent.
 */
export function checkFields<Value, Output>(
  schema: StandardSchemaV1<unknown, Output>,
  fields: Fields<Value>,
  reject: (issues: Issues) => FwError,
): Output | Promise<Output> {
  const standard = schema['~standard'];
  return chained(standard.validate(shape(fields, [])), (plain) => {
    if (!plain.issues) return plain.value;
    const refused = refusedKeys(plain.issues).filter((key) => fields[key]?.length === 1);
    if (refused.length === 0) throw reject(plain.issues);
    return chained(standard.validate(shape(fields, refused)), (listed) => {
      if (!listed.issues) return listed.value;
      const stillRefused = new Set(refusedKeys(listed.issues));
      const lists = refused.filter((key) => !stillRefused.has(key));
      if (lists.length === 0) throw reject(plain.issues);
      return check(schema, shape(fields, lists), reject);
    });
  });
}

/** Single values as they are, or as arrays for the keys of `lists`. No prototype, because clients choose the keys. */
function shape<Value>(fields: Fields<Value>, lists: readonly string[]): Record<string, Value | Value[]> {
  const shaped: Record<string, Value | Value[]> = Object.create(null);
  for (const [key, values] of Object.entries(fields)) {
    const [first] = values;
    shaped[key] = values.length === 1 && first !== undefined ? first : [...values];
  }
  for (const key of lists) shaped[key] = [...(fields[key] ?? [])];
  return shaped;
}

/** Keys whose value itself was refused, not something inside it. */
function refusedKeys(issues: Issues): string[] {
  const keys = new Set<string>();
  for (const { path = [] } of issues) {
    if (path.length === 1 && path[0] !== undefined) keys.add(String(keyOf(path[0])));
  }
  return [...keys];
}
