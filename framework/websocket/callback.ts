// WebSocket: callbacks of the application that run when nobody waits for them.
import { isPromise } from '../promises.js';
import { reportError } from '../tracing/error-channel.js';

/** Runs a callback, which may be asynchronous. What it throws is reported, and does not end the process. */
export function guarded(run: () => unknown, path: string = ''): void {
  const report = (error: unknown): void => reportError({ error, status: 500, method: 'WEBSOCKET', path });
  try {
    const result = run();
    if (isPromise(result)) Promise.resolve(result).catch(report);
  } catch (error) {
    report(error);
  }
}
