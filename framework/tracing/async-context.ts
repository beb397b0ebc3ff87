// Tracing: the async context of a request, for what runs later on its behalf: the stores of every AsyncLocalStorage,
// those of the application and the spans.
import { AsyncLocalStorage } from 'node:async_hooks';

/** Runs a function in the async context in which this was made. */
export type AsyncContext = <T>(work: () => T) => T;

/** Captures the async context of the caller. */
export function currentContext(): AsyncContext {
  return AsyncLocalStorage.snapshot();
}
