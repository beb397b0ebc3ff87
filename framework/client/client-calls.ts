// The client: the text of what happens around calls: interceptors, and the attempts that follow a failed query.
import type { ClientKind } from './client-kind.js';

/** Whether there is anything to intercept. */
export function makesCalls({ hasCalls, hasRoutes }: ClientKind): boolean {
  return hasCalls || hasRoutes;
}

/** Of the client and its declarations. */
export const callTypes: string = `
/** A call as interceptors see it. */
export interface FwRpcCall {
  readonly name: string;
  readonly kind: 'query' | 'mutation' | 'route';
  readonly input: unknown;
  /** Those of this call alone. */
  readonly options: FwRpcCallOptions;
}

/**
 * Runs around each call. \`next\` makes the call and may be called again, also with another input or other options. What
 * the interceptor returns is the result of the call, and its type is not checked.
 */
export type FwRpcInterceptor = (call: FwRpcCall, next: (call: FwRpcCall) => Promise<unknown>) => Promise<unknown>;

export interface FwRpcRetry {
  /** How many attempts may follow the first one. */
  attempts: number;
  /**
   * The wait before the next attempt, in milliseconds; \`attempt\` is how many have failed, from 1. By default a random
   * part of 200 ms, which doubles with each attempt up to 5 seconds.
   */
  delayMs?: ((attempt: number, error: unknown) => number) | undefined;
  /** Whether another attempt may help; by default after a network failure and the statuses 408, 429, 502, 503, 504. */
  when?: ((error: unknown) => boolean) | undefined;
}
`;

/** Members of the options of the constructor. */
export const callOptions: string = `  /** Run around every query, mutation and route; the first one is the outermost. */
  interceptors?: readonly FwRpcInterceptor[] | undefined;
  /** Repeats failed queries and GET routes, so many times at most; never by default. */
  retry?: number | FwRpcRetry | undefined;
`;

/** Before the class. */
export const callHead: string = `
/** What fetch has rejected with: another attempt may help. */
const networkFailures = new WeakSet();
`;

/** Inside the class. */
export const runMethods: string = `
  /** Passes the call through the interceptors. */
  async #run(
    call: FwRpcCall,
    isRepeatable: boolean,
    attempt: (input: unknown, options: FwRpcCallOptions) => Promise<unknown>,
  ): Promise<unknown> {
    const { interceptors = [], retry = 0 } = this.#options;
    const from =
      (index: number) =>
      async (given: FwRpcCall): Promise<unknown> => {
        const interceptor = interceptors[index];
        if (interceptor !== undefined) return await interceptor(given, from(index + 1));
        const { input, options } = given;
        if (!isRepeatable || retry === 0) return await attempt(input, options);
        return await this.#repeat(retry, options, async () => await attempt(input, options));
      };
    return await from(0)(call);
  }

  async #repeat(
    retry: number | FwRpcRetry,
    options: FwRpcCallOptions,
    attempt: () => Promise<unknown>,
  ): Promise<unknown> {
    const { attempts, delayMs = backoff, when = mayPass }: FwRpcRetry =
      typeof retry === 'number' ? { attempts: retry } : retry;
    const signals = [this.#options.signal, options.signal].filter((signal) => signal !== undefined);
    for (let failed = 1; ; failed += 1) {
      try {
        return await attempt();
      } catch (error) {
        const isLeft = failed <= attempts && !signals.some((signal) => signal.aborted);
        if (!isLeft || !when(error)) throw error;
        await pause(delayMs(failed, error), signals);
      }
    }
  }
`;

/** After the class. */
export function callEnd({ isRest }: ClientKind): string {
  const byCode = isRest
    ? ''
    : `  // The codes that stand for 408, 429 and 503.
  if (error instanceof JsonRpcClientError) return [-32008, -32029, -32053].includes(error.code);
`;
  return `
/** Whether another attempt may help. */
function mayPass(error: unknown): boolean {
${byCode}  if (error instanceof FwRpcHttpError) return [408, 429, 502, 503, 504].includes(error.status);
  return typeof error === 'object' && error !== null && networkFailures.has(error);
}

/** With jitter, so that the clients of a server that was restarted do not all return at once. */
function backoff(attempt: number): number {
  return Math.random() * Math.min(5_000, 200 * 2 ** (attempt - 1));
}
`;
}

/** After the class, for attempts and for connections of subscriptions. */
export const pause: string = `
/** Resolves after this time; rejects when a signal aborts. */
async function pause(ms: number, signals: readonly FwRpcSignal[]): Promise<void> {
  let leave = (): void => undefined;
  const ended = new Promise<void>((resolve) => {
    leave = (): void => {
      resolve();
    };
  });
  const timer = globals.setTimeout(leave, Math.min(ms, LONGEST_MS));
  for (const signal of signals) signal.addEventListener('abort', leave);
  if (signals.some((signal) => signal.aborted)) leave();
  await ended;
  globals.clearTimeout(timer);
  for (const signal of signals) signal.removeEventListener('abort', leave);
  const aborted = signals.find((signal) => signal.aborted);
  if (aborted !== undefined) throw reasonOf(aborted);
}
`;
