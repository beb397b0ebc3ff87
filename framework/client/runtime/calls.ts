// The client: what happens around calls: interceptors, and the attempts that follow a failed query.
import type { FwRpcEntry } from './define-client.js';
import type { FwRpcCallOptions } from './requests.js';
import { type FwRpcLimits, pause } from './signals.js';

/** A call as interceptors see it. */
export interface FwRpcCall {
  readonly name: string;
  readonly kind: 'query' | 'mutation' | 'route';
  readonly input: unknown;
  /** Those of this call alone. */
  readonly options: FwRpcCallOptions;
}

/**
 * Runs around each call. `next` makes the call and may be called again, also with another input or other options. What
 * the interceptor returns is the result of the call, and its type is not checked.
 */
export type FwRpcInterceptor = (
  call: FwRpcCall,
  next: (call: FwRpcCall) => Promise<unknown>,
) => Promise<unknown>;

export interface FwRpcRetry {
  /** How many attempts may follow the first one. */
  attempts: number;
  /**
   * The wait before the next attempt, in milliseconds; `attempt` is how many have failed, from 1. By default a random
   * part of 200 ms, which doubles with each attempt up to 5 seconds.
   */
  delayMs?: ((attempt: number, error: unknown) => number) | undefined;
  /** Whether another attempt may help; by default after a network failure and the statuses 408, 429, 502, 503, 504. */
  when?: ((error: unknown) => boolean) | undefined;
}

export interface FwRpcAroundCalls {
  /** Run around every query, mutation and route; the first one is the outermost. */
  interceptors?: readonly FwRpcInterceptor[] | undefined;
  /** Repeats failed queries and GET routes, so many times at most; never by default. */
  retry?: number | FwRpcRetry | undefined;
}

/** What a client has to know of a procedure to call it. */
export interface FwRpcProcedure extends FwRpcEntry {
  /** The names of the errors that it declares. */
  readonly errors?: readonly string[];
}

/** The same of a query or a mutation. */
export interface FwRpcCallable extends FwRpcProcedure {
  readonly kind: 'query' | 'mutation';
  /** False if a call returns nothing. */
  readonly hasOutput?: false;
}

/** One line for each. */
export type FwRpcTable<Entry> = Readonly<Record<string, Entry>>;

/**
 * Passes the call through the interceptors.
 *
 * @param mayPass whether another attempt may help; false if the call must not be repeated
 */
export async function runCall(
  client: FwRpcAroundCalls & FwRpcLimits,
  call: FwRpcCall,
  hasOutput: boolean | undefined,
  mayPass: ((error: unknown) => boolean) | false,
  attempt: (input: unknown, options: FwRpcCallOptions) => Promise<unknown>,
): Promise<unknown> {
  const { interceptors = [], retry = 0 } = client;
  const { attempts, delayMs, when }: FwRpcRetry = typeof retry === 'number' ? { attempts: retry } : retry;
  const innermost = async ({ input, options }: FwRpcCall): Promise<unknown> => {
    for (let failed = 1; ; failed += 1) {
      try {
        return await attempt(input, options);
      } catch (error) {
        const isAborted = [client, options].some(({ signal }) => signal?.aborted);
        if (!mayPass || failed > attempts || isAborted || !(when ?? mayPass)(error)) throw error;
        // With jitter, so that the clients of a server that was restarted do not all return at once.
        const ms = delayMs?.(failed, error) ?? Math.random() * Math.min(5_000, 200 * 2 ** (failed - 1));
        await pause(ms, [client, options]);
      }
    }
  };
  const run = interceptors.reduceRight<typeof innermost>(
    (next, interceptor) => async (given: FwRpcCall) => await interceptor(given, next),
    innermost,
  );
  const result = await run(call);
  return hasOutput === false ? undefined : result;
}
