// Tracing: one subscription for events and errors.
import diagnostics from 'node:diagnostics_channel';
import type { FwErrorEvent } from './error-channel.js';
import type { TracingEvent } from './event.js';
import { currentSpan } from './span.js';

export type Subscriber = (event: TracingEvent) => void;

/**
 * Calls the subscriber for every event, and for every error that answered a request: level `error` from status
 * 500 on, `warn` below, with the fields `error`, `status`, `method` and `path`. Errors then no longer go to
 * stderr by themselves.
 *
 * @returns A function that ends the subscription.
 */
export function subscribe(subscriber: Subscriber): () => void {
  const onEvent = (message: unknown) => subscriber(message as TracingEvent);
  const onError = (message: unknown) => subscriber(fromError(message as FwErrorEvent));
  diagnostics.subscribe('fw:event', onEvent);
  diagnostics.subscribe('fw:error', onError);
  return () => {
    diagnostics.unsubscribe('fw:event', onEvent);
    diagnostics.unsubscribe('fw:error', onError);
  };
}

function fromError({ error, status, method, path }: FwErrorEvent): TracingEvent {
  return {
    time: Date.now(),
    level: status >= 500 ? 'error' : 'warn',
    message: `${method} ${path} failed: ${messageOf(error)}`,
    fields: { error, status, method, path },
    span: currentSpan(),
  };
}

/** Also of what throws when it is asked, such as an object without a prototype: the event must not be lost. */
function messageOf(error: unknown): string {
  try {
    return error instanceof Error ? error.message : String(error);
  } catch {
    return 'what was thrown has no message';
  }
}
