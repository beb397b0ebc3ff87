// Tracing: spans, which add fields to all events inside them; based on AsyncLocalStorage.
import { AsyncLocalStorage } from 'node:async_hooks';

/** The fields of an event or a span by name. */
export type Fields = Readonly<Record<string, unknown>>;

const spans = new AsyncLocalStorage<Fields>();
const none: Fields = Object.freeze({});

/** Runs `work` inside a span: all events inside it, also after `await`, carry the fields of the spans around them. */
export function withSpan<T>(fields: Fields, work: () => T): T {
  return spans.run({ ...spans.getStore(), ...fields }, work);
}

/** The fields of the spans around the caller; empty outside of a span. */
export function currentSpan(): Fields {
  return spans.getStore() ?? none;
}
