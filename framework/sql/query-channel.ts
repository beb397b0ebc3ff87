// Queries on the tracing channel `fw:query` of node:diagnostics_channel, for tracers such as OpenTelemetry.
import diagnostics from 'node:diagnostics_channel';
import { isPromise, toPromise } from '../promises.js';
import { isHeard } from '../tracing/is-heard.js';

/** What the events of one query share; subscribers may add to it. */
export interface QueryTrace {
  /** Without its parameters. */
  readonly sql: string;
  /** Set before the events `error`. */
  error?: unknown;
}

const channel = diagnostics.tracingChannel<unknown, QueryTrace>('fw:query');

/**
 * Runs a query, and publishes its start and its end if there is a subscriber. `asyncEnd` comes last, also for drivers
 * that answer at once, so that a tracer has one end to wait for.
 */
export function traceQuery<Result>(sql: string, work: () => Result): Result {
  if (!isHeard(channel)) return work();
  const trace: QueryTrace = { sql };
  return channel.start.runStores(trace, () => {
    let result: Result;
    try {
      result = work();
    } catch (error) {
      channel.end.publish(trace);
      return failed(trace, error);
    }
    channel.end.publish(trace);
    if (isPromise(result)) return settled(trace, toPromise(result)) as Result;
    channel.asyncEnd.publish(trace);
    return result;
  });
}

async function settled(trace: QueryTrace, result: Promise<unknown>): Promise<unknown> {
  let value: unknown;
  try {
    value = await result;
  } catch (error) {
    return failed(trace, error);
  }
  channel.asyncEnd.publish(trace);
  return value;
}

function failed(trace: QueryTrace, error: unknown): never {
  trace.error = error;
  channel.error.publish(trace);
  channel.asyncEnd.publish(trace);
  throw error;
}
