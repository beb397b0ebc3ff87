// RPC: the subscriptions of one WebSocket connection, each with the id that its client gave it.
//
// The frames to the client, `{"subscription": {"id": …, …}}`:
//   data, eventId   an event, and its id if it is tracked
//   error           the subscription failed; the error in the form of the mode
//   done            the handler has returned
import { AuthorizationWatch } from '../../context/authorization-watch.js';
import type { Context } from '../../context/context.js';
import { shownBeside } from '../../context/identity.js';
import { FwError } from '../../http/errors.js';
import { clientLeft } from '../../http/shared-signal.js';
import { reportError } from '../../tracing/error-channel.js';
import type { SocketSubscriptions, SubscriptionSocket } from '../../websocket/socket-config.js';
import { notFound } from '../dispatch.js';
import { reportFailure } from '../procedure/report-failure.js';
import { resultText } from '../procedure/result-text.js';
import { errorCode, errorOf, JsonRpcError } from '../protocol/rpc-error.js';
import type { RunnableSubscription, SubscriptionRun } from './subscription.js';
import type { ErrorText } from './subscription-response.js';
import { Tracked } from './subscription-types.js';

/** The close code "service restart": clients connect again. */
const RESTART = 1012;

/** How often the stores of what a subscription has accepted are asked, in milliseconds. */
const CHECK_MS = 30_000;

/** How many subscriptions a connection may have at a time. */
const MOST_RUNNING = 100;

/** What a registry gives to the subscriptions of its connections. */
export interface SubscriptionSource {
  readonly subscriptions: ReadonlyMap<string, RunnableSubscription>;
  readonly errorText: ErrorText;
}

export class RunningSubscriptions implements SocketSubscriptions {
  readonly #source: SubscriptionSource;
  readonly #ctx: Context;
  readonly #socket: SubscriptionSocket;
  readonly #running = new Map<number, AbortController>();

  constructor(source: SubscriptionSource, ctx: Context, socket: SubscriptionSocket) {
    this.#source = source;
    this.#ctx = ctx;
    this.#socket = socket;
  }

  subscribe(frame: unknown): void {
    const { id, method, params, lastEventId } = (frame ?? {}) as Readonly<Record<string, unknown>>;
    if (!isId(id)) throw new JsonRpcError(errorCode.invalidRequest, 'subscribe needs an id, a whole number');
    const name = typeof method === 'string' ? method : '';
    const subscription = this.#source.subscriptions.get(name);
    if (subscription === undefined) this.#fail(id, name, notFound(name));
    else if (this.#running.has(id))
      this.#fail(id, name, invalid(`the subscription ${id} is running already`));
    else if (this.#running.size >= MOST_RUNNING) {
      this.#fail(id, name, invalid(`a connection has at most ${MOST_RUNNING} subscriptions`));
    } else {
      const controller = new AbortController();
      this.#running.set(id, controller);
      const after = typeof lastEventId === 'string' ? lastEventId : undefined;
      void this.#follow(id, subscription, params, after, controller);
    }
  }

  unsubscribe(frame: unknown): void {
    const { id } = (frame ?? {}) as Readonly<Record<string, unknown>>;
    if (isId(id)) this.#running.get(id)?.abort(new Error('the client has unsubscribed'));
  }

  end(): void {
    const reason = clientLeft();
    for (const controller of [...this.#running.values()]) controller.abort(reason);
  }

  /** Never rejects. */
  async #follow(
    id: number,
    subscription: RunnableSubscription,
    params: unknown,
    lastEventId: string | undefined,
    controller: AbortController,
  ): Promise<void> {
    const { signal } = controller;
    const { name, place } = subscription;
    // What one subscription accepts lets nobody into another one.
    const ctx = this.#ctx.apart();
    let run: SubscriptionRun | undefined;
    let unwatch = (): void => {};
    try {
      run = await subscription.open(params, { ctx, signal, lastEventId });
      unwatch = this.#watch(ctx, (error) => {
        if (!signal.aborted) this.#send(id, `"error":${this.#source.errorText(error)}`);
        ctx.identity?.end(error);
        controller.abort(error);
      });
      for (;;) {
        const { done, value } = await run.next();
        if (done) break;
        this.#send(id, eventText(name, value));
        // The next event is asked for when the client has taken this one.
        await this.#socket.ready();
      }
      if (run.isFinished) this.#send(id, '"done":true');
      else if (run.missed !== undefined) this.#socket.close(RESTART, 'connect again: messages were missed');
    } catch (error) {
      await run?.end(error);
      if (!signal.aborted) this.#fail(id, name, error, place);
    } finally {
      unwatch();
      this.#running.delete(id);
    }
  }

  /** Calls the function when what the subscription alone has accepted ends. Gives what ends the watch. */
  #watch(ctx: Context, ended: (error: FwError) => void): () => void {
    const { path } = ctx.target;
    const failed = (error: unknown): void => reportError({ error, status: 503, method: 'WEBSOCKET', path });
    const watch = AuthorizationWatch.begin(shownBeside(ctx.identity, this.#ctx.identity), {
      ended: (reason) => ended(FwError.unauthorized(reason)),
      failed,
    });
    const timer = watch?.asksStores ? setInterval(() => watch.check(false), CHECK_MS) : undefined;
    timer?.unref?.();
    return () => {
      clearInterval(timer);
      watch?.stop();
    };
  }

  #fail(id: number, name: string, error: unknown, place?: () => string): void {
    const { errorText } = this.#source;
    reportFailure(error, name, this.#ctx, place);
    let text: string;
    try {
      text = errorText(errorOf(name, error));
    } catch (cause) {
      // The data of the error cannot be represented in JSON.
      const failure = new Error(`the error of subscription '${name}' cannot be sent`, { cause });
      reportFailure(failure, name, this.#ctx);
      text = errorText(undefined);
    }
    this.#send(id, `"error":${text}`);
  }

  #send(id: number, rest: string): void {
    this.#socket.send(`{"subscription":{"id":${id},${rest}}}`);
  }
}

function eventText(name: string, value: unknown): string {
  if (!(value instanceof Tracked)) return `"data":${resultText(name, value)}`;
  return `"data":${resultText(name, value.value)},"eventId":${JSON.stringify(value.id)}`;
}

function isId(id: unknown): id is number {
  return Number.isSafeInteger(id);
}

function invalid(message: string): JsonRpcError {
  return new JsonRpcError(errorCode.invalidRequest, message);
}
