// RPC: a subscription as it runs: middleware → input check → handler, then its events one by one → output check.

import type { Context } from '../../context/context.js';
import { type Chunks, CutStream, readChunks } from '../../http/chunks.js';
import { isThrown } from '../../http/errors.js';
import { shared } from '../../http/shared-signal.js';
import { kindOf } from '../../options/shown.js';
import { isPromise } from '../../promises.js';
import { currentContext } from '../../tracing/async-context.js';
import type { RpcMiddleware } from '../procedure/middleware.js';
import { type AnyHandler, type Check, type Procedure, runnable } from '../procedure/procedure.js';
import { SubscriptionCall, Tracked } from './subscription-types.js';

interface SubscriptionOptions {
  readonly ctx: Context | undefined;
  /** Ends the subscription when it aborts; `ctx.signal` if it is not given. */
  readonly signal?: AbortSignal | undefined;
  readonly lastEventId?: string | undefined;
}

/** A subscription that is ready to run. */
export interface RunnableSubscription {
  readonly name: string;
  /** The place of the call that registered it. */
  readonly place: () => string;
  /** Runs everything before the first event; rejects with the error of the call. */
  open(params: unknown, options: SubscriptionOptions): Promise<SubscriptionRun>;
}

/** @param checkOutput undefined if the events have no schema */
export function runnableSubscription(
  procedure: Procedure,
  steps: readonly RpcMiddleware[],
  checkInput: Check,
  checkOutput: Check | undefined,
): RunnableSubscription {
  const { name, place } = procedure;
  const handler: AnyHandler = (input, call) => inContext(name, procedure.handler(input, call));
  const start = runnable({ ...procedure, handler }, steps, checkInput, undefined);
  return {
    name,
    place,
    async open(params, { ctx, signal, lastEventId }) {
      const lifetime = new Lifetime(signal ?? ctx?.signal);
      try {
        const events = await start.run(params, new SubscriptionCall(ctx, lifetime.signal, lastEventId));
        return new SubscriptionRun(readChunks(iterable(name, events)), checkOutput, lifetime);
      } catch (error) {
        lifetime.end(error);
        throw error;
      }
    },
  };
}

/** The events, read in the async context of the handler's call: that of the request and of the middleware around it. */
function inContext(name: string, events: unknown): unknown {
  if (isPromise(events)) return Promise.resolve(events).then((given) => inContext(name, given));
  if (!isIterable(events)) return events;
  const run = currentContext();
  let chunks: Chunks<unknown> | undefined;
  const open = (): Chunks<unknown> => {
    chunks ??= readChunks(events, `subscription '${name}'`);
    return chunks;
  };
  const bound: AsyncIterableIterator<unknown> = {
    next: () => run(() => open().next()),
    async return() {
      await run(() => open().end());
      return DONE;
    },
    [Symbol.asyncIterator]: () => bound,
  };
  return bound;
}

function isIterable(events: unknown): events is AsyncIterable<unknown> {
  return typeof events === 'object' && events !== null && Symbol.asyncIterator in events;
}

function iterable(name: string, events: unknown): AsyncIterable<unknown> {
  if (isIterable(events)) return events;
  throw new Error(
    `subscription '${name}' returned ${kindOf(events)}; make its handler an async generator: async function* (input) { … }`,
  );
}

/** How long a subscription may run: it ends with a signal from outside, or on its own. */
class Lifetime {
  readonly #controller = new AbortController();
  readonly #outer: AbortSignal | undefined;
  readonly #follow = (): void => {
    this.end(this.#outer?.reason);
    this.onEnd();
  };
  /** Called when the signal from outside has aborted. */
  onEnd = (): void => {};

  constructor(outer: AbortSignal | undefined) {
    shared(this.#controller.signal);
    this.#outer = outer;
    if (outer?.aborted) this.#controller.abort(outer.reason);
    else outer?.addEventListener('abort', this.#follow);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Ends it without a reason to stop: everything was done. */
  release(): void {
    this.#outer?.removeEventListener('abort', this.#follow);
  }

  end(reason?: unknown): void {
    this.release();
    this.#controller.abort(reason);
  }
}

type Result = IteratorResult<unknown, undefined>;
const DONE: Result = { done: true, value: undefined };

/** A running subscription. An event may be `Tracked`. */
export class SubscriptionRun {
  readonly #events: Chunks<unknown>;
  readonly #check: Check | undefined;
  readonly #lifetime: Lifetime;
  /** Ends the wait for an event. */
  #wake: (() => void) | undefined;
  #isOver = false;
  #isFinished = false;
  #missed: CutStream | undefined;

  constructor(events: Chunks<unknown>, check: Check | undefined, lifetime: Lifetime) {
    this.#events = events;
    this.#check = check;
    this.#lifetime = lifetime;
    lifetime.onEnd = () => void this.end();
    if (lifetime.signal.aborted) void this.end();
  }

  /** Whether the handler has returned by itself, so that there are no more events. */
  get isFinished(): boolean {
    return this.#isFinished;
  }

  /** The error of a handler that has missed something, so that its client is to connect again. */
  get missed(): CutStream | undefined {
    return this.#missed;
  }

  /** Asks the handler for its next event. Rejects with what it throws, after which there are no more. */
  async next(): Promise<Result> {
    if (this.#isOver) return DONE;
    try {
      const { done, value } = await this.#ask();
      if (this.#isOver) return DONE;
      if (done !== true) {
        const checked = await this.#checked(value);
        return this.#isOver ? DONE : { done: false, value: checked };
      }
      this.#isOver = true;
      this.#isFinished = true;
      this.#lifetime.release();
      return DONE;
    } catch (error) {
      // What a handler throws because it is stopped is not a failure.
      if (this.#isOver) return DONE;
      await this.end(error);
      if (!isThrown(error, CutStream)) throw error;
      this.#missed = error;
      return DONE;
    }
  }

  /**
   * Ends it early: the signal aborts, and the generator runs its `finally`. Resolves when that is done, or at once if
   * the handler waits for an event: it has only the signal to learn from that it should stop.
   */
  async end(reason?: unknown): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#lifetime.end(reason);
    const stopped = this.#events.end();
    if (this.#wake === undefined) await stopped;
    else this.#wake();
  }

  /** The next event; done if the subscription is ended before it comes. */
  #ask(): Promise<IteratorResult<unknown>> {
    return new Promise((resolve, reject) => {
      const settled = (): void => {
        this.#wake = undefined;
      };
      this.#wake = () => resolve(DONE);
      Promise.resolve(this.#events.next()).finally(settled).then(resolve, reject);
    });
  }

  #checked(value: unknown): unknown {
    const check = this.#check;
    if (check === undefined) return value;
    if (!(value instanceof Tracked)) return check(value);
    const checked = check(value.value);
    const { id } = value;
    return isPromise(checked)
      ? Promise.resolve(checked).then((one) => Tracked.of(id, one))
      : Tracked.of(id, checked);
  }
}

/** The events for a caller in the same process, without their ids. It has no connection to lose: it gets an error. */
export function valuesOf(run: SubscriptionRun): AsyncIterableIterator<unknown, undefined> {
  let isOver = false;
  return {
    async next() {
      if (isOver) return DONE;
      const { done, value } = await run.next();
      if (done) {
        isOver = true;
        if (run.missed !== undefined) throw run.missed;
        return DONE;
      }
      return { done: false, value: value instanceof Tracked ? value.value : value };
    },
    async return() {
      await run.end();
      return DONE;
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
