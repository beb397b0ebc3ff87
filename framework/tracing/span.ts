// Tracing: fields that belong to everything done inside a span, carried by AsyncLocalStorage.
import { AsyncLocalStorage } from 'node:async_hooks';

/** Values that describe an event or a span, by name. */
export type Fields = Readonly<Record<string, unknown>>;

const spans = new AsyncLocalStorage<Fields>();
const none: Fields = Object.freeze({});

/** Runs `work` inside a span: events published in it, however deep, carry the fields of all spans around them. */
export function withSpan<T>(fields: Fields, work: () => T): T {
  return spans.run({ ...spans.getStore(), ...fields }, work);
}

/** The fields of the spans around the caller. */
export function currentSpan(): Fields {
  return spans.getStore() ?? none;
}
