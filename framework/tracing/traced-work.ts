// Tracing: runs work on a tracing channel of node:diagnostics_channel, such as `fw:query` and `fw:rpc`.
import type { TracingChannel } from 'node:diagnostics_channel';
import { isPromise, toPromise } from '../promises.js';

/** What the events of one piece of work share; subscribers may add to it. */
export interface WorkTrace {
  /** Set before the event `error`. */
  error?: unknown;
}

/**
 * Runs work, and publishes its start and its end; ask `isHeard(channel)` before. `asyncEnd` comes last, also for what is
 * done at once, so that a tracer has one end to wait for.
 */
export function tracedWork<Result, Trace extends WorkTrace & object>(
  channel: TracingChannel<unknown, Trace>,
  trace: Trace,
  work: () => Result,
): Result {
  return channel.start.runStores(trace, () => {
    let result: Result;
    try {
      result = work();
    } catch (error) {
      channel.end.publish(trace);
      return failed(channel, trace, error);
    }
    channel.end.publish(trace);
    if (isPromise(result)) return settled(channel, trace, toPromise(result)) as Result;
    channel.asyncEnd.publish(trace);
    return result;
  });
}

async function settled<Trace extends WorkTrace & object>(
  channel: TracingChannel<unknown, Trace>,
  trace: Trace,
  result: Promise<unknown>,
): Promise<unknown> {
  let value: unknown;
  try {
    value = await result;
  } catch (error) {
    return failed(channel, trace, error);
  }
  channel.asyncEnd.publish(trace);
  return value;
}

function failed<Trace extends WorkTrace & object>(
  channel: TracingChannel<unknown, Trace>,
  trace: Trace,
  error: unknown,
): never {
  trace.error = error;
  channel.error.publish(trace);
  channel.asyncEnd.publish(trace);
  throw error;
}
