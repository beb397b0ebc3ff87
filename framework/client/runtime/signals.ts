// The client: what ends a call, and the parts of the platform that it is made of.

/** The part of an AbortSignal that the client uses. */
export interface FwRpcAbortSignal {
  readonly aborted: boolean;
  readonly reason?: unknown;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** The AbortSignal of the libraries that the program is compiled with, or the part that the client uses. */
export type FwRpcSignal = typeof globalThis extends {
  AbortSignal: { prototype: infer Signal extends FwRpcAbortSignal };
}
  ? Signal
  : FwRpcAbortSignal;

export interface FwRpcController {
  readonly signal: FwRpcSignal;
  abort(reason?: unknown): void;
}

interface FwRpcPlatform {
  readonly fetch: (url: string, init: object) => Promise<never>;
  readonly AbortController: new () => FwRpcController;
  setTimeout(callback: () => void, ms: number): unknown;
  clearTimeout(timer: unknown): void;
}

export const platform: FwRpcPlatform = globalThis as unknown as FwRpcPlatform;

/** A timeout of more than 24 days is not set, because timers cannot wait so long. */
export const LONGEST_MS: number = 2 ** 31 - 1;

/** There was no response within `timeoutMs`. The name is `TimeoutError`, as of `AbortSignal.timeout()`. */
export class FwRpcTimeoutError extends Error {
  override readonly name: string = 'TimeoutError';
  /** In milliseconds. */
  readonly timeoutMs: number;

  constructor(timeoutMs: number) {
    super(`no answer within ${String(timeoutMs)} ms`);
    this.timeoutMs = timeoutMs;
  }
}

export function abortReason({ reason }: FwRpcSignal): Error {
  return (reason ?? new Error('the call was aborted')) as Error;
}

/** Aborts the controller with the first of the signals. Returns a function that takes the listeners away. */
export function abortWith(controller: FwRpcController, limits: readonly FwRpcLimits[]): () => void {
  const passOn = (): void => {
    for (const { signal } of limits) if (signal?.aborted) controller.abort(signal.reason);
  };
  for (const { signal } of limits) signal?.addEventListener('abort', passOn);
  passOn();
  return () => {
    for (const { signal } of limits) signal?.removeEventListener('abort', passOn);
  };
}

/** Rejects when the signal aborts. */
export async function untilAborted(signal: FwRpcSignal): Promise<never> {
  return await new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => {
      reject(abortReason(signal));
    });
  });
}

/** What may end a call: that of the call itself, or of its client. */
export interface FwRpcLimits {
  readonly signal?: FwRpcSignal | undefined;
  readonly timeoutMs?: number | undefined;
}

/**
 * Rejects when a signal or the timeout ends the work.
 *
 * @param limits of the call, and those of the client
 */
export async function withinLimits<Result>(
  limits: readonly FwRpcLimits[],
  work: (ended: FwRpcSignal) => Promise<Result>,
  ms: number = limits[0]?.timeoutMs ?? limits[1]?.timeoutMs ?? Infinity,
): Promise<Result> {
  const controller = new platform.AbortController();
  const ended = controller.signal;
  const leave = abortWith(controller, limits);
  const timer =
    ms <= LONGEST_MS &&
    platform.setTimeout(() => {
      controller.abort(new FwRpcTimeoutError(ms));
    }, ms);
  try {
    if (ended.aborted) throw abortReason(ended);
    return await Promise.race([work(ended), untilAborted(ended)]);
  } finally {
    platform.clearTimeout(timer);
    leave();
  }
}

/** Resolves after this time; rejects when a signal aborts. */
export async function pause(ms: number, limits: readonly FwRpcLimits[]): Promise<void> {
  let timer: unknown;
  const work = async (): Promise<void> => {
    await new Promise<void>((resolve) => {
      timer = platform.setTimeout(resolve, Math.min(ms, LONGEST_MS));
    });
  };
  await withinLimits(limits, work, Infinity).finally(() => {
    platform.clearTimeout(timer);
  });
}
