// Sessions: what a request gets while the store fails, and what is reported of changes that were not stored.
import { FwError } from '../http/errors.js';
import { isPromise } from '../promises.js';
import { reportError } from '../tracing/error-channel.js';

/** How long clients wait before they repeat a request that the store could not serve, in seconds. */
const RETRY_AFTER = '5';

/**
 * The answer of the store, whether it is a promise or not. `onFailure` runs before the error is thrown.
 *
 * @throws FwError 503 if the store fails.
 */
export function ask<T>(operation: () => T | Promise<T>, onFailure?: () => void): T | Promise<T> {
  const failed = (error: unknown): never => {
    onFailure?.();
    throw FwError.serviceUnavailable('sessions are not available at the moment; try again later', {
      cause: error,
      headers: { 'Retry-After': RETRY_AFTER },
    });
  };
  try {
    const answer = operation();
    return isPromise(answer) ? Promise.resolve(answer as Promise<T>).then(undefined, failed) : answer;
  } catch (error) {
    return failed(error);
  }
}

/** Reports a change after the response was made, which no `save()` followed. */
export function reportLateChange({ method, path }: { readonly method: string; readonly path: string }): void {
  const error = new Error(
    'the session was changed after the response was made, and the change was not stored; call save() right after it',
  );
  reportError({ error, status: 500, method, path });
}
