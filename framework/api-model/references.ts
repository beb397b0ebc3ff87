// A model of an API: references inside of an OpenAPI document, as JSON Pointers (RFC 6901).
import { isFields, textOf } from './unknown-value.js';

/** As many references may lead to each other. */
const MOST_STEPS = 30;

export interface Found {
  readonly value: unknown;
  /** Why there is no value. */
  readonly problem?: string;
}

/** The value at a reference of this document. */
export function valueAt(document: unknown, reference: string): Found {
  const shown = reference.length > 120 ? `${reference.slice(0, 120)}…` : reference;
  if (!reference.startsWith('#')) {
    return { value: undefined, problem: `${shown} is outside of this document, and is not loaded` };
  }
  let at: unknown = document;
  for (const key of keysOf(reference)) {
    const isInside = Array.isArray(at) ? /^\d{1,6}$/.test(key) : isFields(at);
    if (!isInside || !Object.hasOwn(at as object, key)) {
      return { value: undefined, problem: `${shown} leads to nothing in this document` };
    }
    at = (at as Readonly<Record<string, unknown>>)[key];
  }
  return { value: at };
}

export function keysOf(reference: string): string[] {
  return reference
    .split('/')
    .slice(1)
    .map((key) => decoded(key).replaceAll('~1', '/').replaceAll('~0', '~'));
}

function decoded(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    // A percent sign that encodes nothing stands for itself.
    return key;
  }
}

/** The value itself, or that at its `$ref`. */
export function resolved(document: unknown, value: unknown): Found {
  let found: Found = { value };
  for (let step = 0; step < MOST_STEPS; step++) {
    const reference = isFields(found.value) ? textOf(found.value.$ref) : undefined;
    if (reference === undefined) return found;
    found = valueAt(document, reference);
  }
  return { value: undefined, problem: 'the reference leads back to itself' };
}
