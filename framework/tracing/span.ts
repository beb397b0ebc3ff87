// Tracing: spans, which add fields to all events inside them; based on AsyncLocalStorage.
import { AsyncLocalStorage } from 'node:async_hooks';
import diagnostics from 'node:diagnostics_channel';
import { isHeard, isRecorded, traceStep } from './trace-channel.js';

/** The fields of an event or a span by name. */
export type SpanFields = Readonly<Record<string, unknown>>;

const spans = new AsyncLocalStorage<SpanFields>();
const none: SpanFields = Object.freeze({});
/** Who hears that a span begins outside of all others may subscribe to `fw:trace` then, and gets it as a step. */
const outermost = diagnostics.channel('fw:outermost-span');

/** Runs `work` inside a span: all events inside it, also after `await`, carry the fields of the spans around them. */
export function withSpan<T>(fields: SpanFields, work: () => T): T {
  if (isHeard(outermost) && spans.getStore() === undefined) outermost.publish(fields);
  if (!isRecorded()) return inSpan(fields, work);
  return traceStep({ kind: 'span', name: nameOf(fields), fields }, () => inSpan(fields, work));
}

/** The same for spans of the framework itself, which are not a step of a request. */
export function inSpan<T>(fields: SpanFields, work: () => T): T {
  return spans.run({ ...spans.getStore(), ...fields }, work);
}

/** The field `name`, or the first one. */
function nameOf(fields: SpanFields): string {
  if (typeof fields.name === 'string') return fields.name;
  const [first] = Object.entries(fields);
  if (first === undefined) return 'span';
  const [name, value] = first;
  return typeof value === 'string' || typeof value === 'number' ? `${name}=${value}` : name;
}

/** The fields of the spans around the caller; empty outside of a span. */
export function currentSpan(): SpanFields {
  return spans.getStore() ?? none;
}
