// Tracing: subscribes to events and errors.
import diagnostics from 'node:diagnostics_channel';
import type { FwErrorEvent } from './error-channel.js';
import type { TracingEvent } from './event.js';
import { currentSpan } from './span.js';

/** Called with every event. */
export type Subscriber = (event: TracingEvent) => void;

/**
 * Calls the subscriber for every event, and for every error that was answered to a request: with level `error` for
 * status 500 and above, otherwise `warn`, and with the fields `error`, `status`, `method` and `path`. While there
 * is a subscriber, such errors are no longer printed to stderr.
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
    message: `${path === '' ? method : `${method} ${path}`} failed: ${messageOf(error)}`,
    fields: { error, status, method, path },
    span: currentSpan(),
  };
}

/** Converting a value, such as an object without a prototype, may throw; the event must not be lost then. */
function messageOf(error: unknown): string {
  try {
    return error instanceof Error ? error.message : String(error);
  } catch {
    return 'the thrown value has no message';
  }
}
