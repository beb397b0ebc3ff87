// RPC over HTTP: a subscription as server-sent events, in both modes.
//
// The frames, besides the events themselves, whose data is their JSON:
//   event: ready   the stream is open; its data tells the interval of the comments that keep it open
//   event: error   the subscription failed; its data is the error in the form of the mode
//   event: done    the handler has returned: without this frame, the connection was lost
import type { Context } from '../../context/context.js';
import { respondToError } from '../../dispatch/error-response.js';
import type { FwResponse } from '../../http/response.js';
import { markHandled } from '../../promises.js';
import { eventStream } from '../../streaming/event-stream.js';
import { SseEvent } from '../../streaming/sse-event.js';
import { reportFailure } from '../procedure/report-failure.js';
import { resultText } from '../procedure/result-text.js';
import { errorOf, wireError } from '../protocol/rpc-error.js';
import type { RunnableSubscription, SubscriptionRun } from './subscription.js';
import { Tracked } from './subscription-types.js';

/** The data of the frame `error`, as JSON. Throws if JSON cannot represent the data of the error. */
export type ErrorText = (error: unknown) => string;

/** In JSON-RPC mode, the error object. */
export const jsonRpcErrorText: ErrorText = (error) => JSON.stringify(wireError(error));

/** In REST mode, the status and the body that the response would have had. */
export const restErrorText: ErrorText = (error) => {
  const { status, content } = respondToError(error);
  const body = typeof content === 'string' ? content : new TextDecoder().decode(content);
  return `{"status":${status},"body":${body}}`;
};

/** What a response needs besides the subscription. */
export interface StreamOptions {
  readonly ctx: Context;
  readonly heartbeatMs: number;
  readonly errorText: ErrorText;
}

/** Opens a subscription, and answers with its events. Rejects with the error of the call. */
export async function subscriptionResponse(
  subscription: RunnableSubscription,
  params: unknown,
  options: StreamOptions,
): Promise<FwResponse> {
  const { ctx, heartbeatMs } = options;
  const run = await subscription.open(params, { ctx, lastEventId: ctx.lastEventId() });
  const response = eventStream(new Frames(subscription, run, options), heartbeatMs);
  response.lastWords = (error) =>
    SseEvent.data(options.errorText(errorOf(subscription.name, error)))
      .event('error')
      .toString();
  return response;
}

type Result = IteratorResult<SseEvent, undefined>;
const DONE: Result = { done: true, value: undefined };

/**
 * Asks the handler for an event only when the connection has taken the one before. The handler starts before the frame
 * `ready` is sent: what it listens to from its beginning, a client that is connected does not miss.
 */
class Frames implements AsyncIterable<SseEvent>, AsyncIterator<SseEvent> {
  readonly #name: string;
  readonly #place: () => string;
  readonly #run: SubscriptionRun;
  readonly #options: StreamOptions;
  #state: 'new' | 'open' | 'ended' = 'new';
  /** The event that was asked for before `ready` was sent. */
  #first: Promise<IteratorResult<unknown, undefined>> | undefined;

  constructor({ name, place }: RunnableSubscription, run: SubscriptionRun, options: StreamOptions) {
    this.#name = name;
    this.#place = place;
    this.#run = run;
    this.#options = options;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<Result> {
    if (this.#state === 'ended') return DONE;
    if (this.#state === 'new') {
      this.#state = 'open';
      this.#first = markHandled(this.#run.next());
      const { heartbeatMs } = this.#options;
      return { done: false, value: SseEvent.new({ heartbeatMs }).event('ready') };
    }
    try {
      const asked = this.#first ?? this.#run.next();
      this.#first = undefined;
      const { done, value } = await asked;
      if (!done) return { done: false, value: this.#event(value) };
      this.#state = 'ended';
      // A stream that a shutdown ends, or that its client has left, is not done.
      return !this.#run.isFinished ? DONE : { done: false, value: SseEvent.data('').event('done') };
    } catch (error) {
      this.#state = 'ended';
      await this.#run.end(error);
      return { done: false, value: SseEvent.data(this.#failure(error)).event('error') };
    }
  }

  async return(): Promise<Result> {
    this.#state = 'ended';
    void this.#run.end();
    return DONE;
  }

  #event(value: unknown): SseEvent {
    if (!(value instanceof Tracked)) return SseEvent.data(resultText(this.#name, value));
    return SseEvent.data(resultText(this.#name, value.value)).id(value.id);
  }

  #failure(error: unknown): string {
    const { ctx, errorText } = this.#options;
    const name = this.#name;
    reportFailure(error, name, ctx, this.#place);
    try {
      return errorText(errorOf(name, error));
    } catch (cause) {
      // The data of the error cannot be represented in JSON.
      reportFailure(new Error(`the error of subscription '${name}' cannot be sent`, { cause }), name, ctx);
      return errorText(undefined);
    }
  }
}
