// Delivery: makes the response of a value or an error, checks it, and passes it to the server.

import { AuthorizationWatch } from '../context/authorization-watch.js';
import type { Context } from '../context/context.js';
import { declaresMore } from '../http/body-limit.js';
import { type Chunks, CutStream, readChunks, wrongLength } from '../http/chunks.js';
import { FwError } from '../http/errors.js';
import type { RequestSource } from '../http/request-source.js';
import { type DefaultHeader, FwResponse, isFinalStatus, notFinal } from '../http/response.js';
import { shown } from '../options/shown.js';
import { isPromise } from '../promises.js';
import { isEventStream } from '../streaming/event-stream.js';
import { reportError } from '../tracing/error-channel.js';
import { inSpan } from '../tracing/span.js';
import { reportFor, respondToError } from './error-response.js';
import { offerStandard } from './standard-response.js';
import { begun, settle } from './to-response.js';

/** Passes the response to a server, or makes of it what the server takes; called exactly once. */
export type Deliver<Source = RequestSource, Sent = unknown> = (response: FwResponse, source: Source) => Sent;

/** Makes and delivers the response of the value that the chain has returned. */
export function complete<Source, Sent>(
  ctx: Context,
  value: unknown,
  source: Source,
  deliver: Deliver<Source, Sent>,
): Sent | Promise<Sent> {
  let response: FwResponse;
  try {
    response = settle(ctx, value);
    if (response.handed !== undefined) return completeStream(ctx, response, source, deliver);
    response = finish(ctx, response);
  } catch (error) {
    return fail(ctx, error, source, deliver);
  }
  return deliver(response, source);
}

/** A stream that middleware has made, or a handler without middleware around it, has not begun. */
function completeStream<Source, Sent>(
  ctx: Context,
  response: FwResponse,
  source: Source,
  deliver: Deliver<Source, Sent>,
): Sent | Promise<Sent> {
  const ready = begun(ctx, response);
  if (!isPromise(ready)) return deliver(finish(ctx, response), source);
  return ready.then(
    () => deliver(finished(ctx, response), source),
    (error: unknown) => fail(ctx, error, source, deliver),
  );
}

/** Delivers the response to a thrown value. */
export function fail<Source, Sent>(
  ctx: Context,
  error: unknown,
  source: Source,
  deliver: Deliver<Source, Sent>,
): Sent | Promise<Sent> {
  const response = respondToError(error, ctx);
  if (response instanceof FwResponse) return deliver(finished(ctx, response), source);
  return response.then((late) => deliver(finished(ctx, late), source));
}

/** The same as `finish` where nothing catches what it throws. */
function finished(ctx: Context, response: FwResponse): FwResponse {
  try {
    return finish(ctx, response);
  } catch (error) {
    return finish(ctx, respondToError(error));
  }
}

/** The last check of a response before a server writes it. */
function finish(ctx: Context, response: FwResponse): FwResponse {
  const fault = faultOf(response);
  if (fault !== undefined) {
    const cause = response.error === undefined ? {} : { cause: response.error.thrown };
    return finish(ctx, respondToError(new Error(fault, cause)));
  }
  ctx.sendOnly(response);
  if (ctx.identity !== undefined) keepPersonal(ctx, response);
  response.defaultHeaders = defaultsFor(response, ctx.scope.defaultHeaders);
  if (response.error !== undefined) {
    const { thrown, span } = response.error;
    inSpan(span, () => reportFor(ctx, thrown, response.status));
    offerStandard(ctx, response);
  }
  return response;
}

/** What depends on who asks is kept by no cache, and ends with what has authenticated the request. */
function keepPersonal(ctx: Context, response: FwResponse): void {
  if (response.switchProtocol !== undefined) return;
  if (response.stream !== undefined) endWithCredentials(ctx, response);
  const isStored = ctx.isStorable ?? !ctx.scope.noStore;
  if (ctx.principal() === undefined || isStored || response.headers.has('Cache-Control')) return;
  response.headers.set('Cache-Control', 'private, no-store');
}

/** The App's default fields that the response does not set itself and that are not withheld. */
function defaultsFor(response: FwResponse, defaults: readonly DefaultHeader[]): readonly DefaultHeader[] {
  const { withheld } = response;
  // Most responses have only a Content-Type: servers recognize the unchanged defaults and use a prepared head.
  if (withheld === undefined && response.onlyContentType !== undefined) return defaults;
  const isMissing = ([name]: DefaultHeader) =>
    !response.headers.has(name) && withheld?.has(name.toLowerCase()) !== true;
  return defaults.every(isMissing) ? defaults : defaults.filter(isMissing);
}

/** Why a response cannot be sent, if so. Checked here, because a server cannot answer with an error instead. */
function faultOf(response: FwResponse): string | undefined {
  if (response.switchProtocol !== undefined) {
    return response.status === 101 ? undefined : 'the status of a WebSocket handshake cannot be changed';
  }
  if (!isFinalStatus(response.status)) return notFinal(response.status);
  if (response.wasSent) return 'a response was returned for two requests; make a new one for each';
  return response.stream === undefined ? undefined : streamFault(response);
}

function streamFault(response: FwResponse): string | undefined {
  const { stream, handed, headers } = response;
  if ((stream as { locked?: boolean } | undefined)?.locked) return LOCKED;
  const length = headers.get('Content-Length');
  // Clients would not find the end of the response.
  if (length !== undefined && !/^\d+$/.test(length)) {
    return `the Content-Length ${shown(length)} is not a number of bytes; leave it out, or give the length of the stream`;
  }
  if (length === undefined || isEventStream(response)) return undefined;
  const what = handed?.lengthFault(Number(length));
  return what === undefined ? undefined : wrongLength(Number(length), what, headers).message;
}

const LOCKED = 'the stream of a response is already being read; return it unread';

/** Stops reading a body over the limit, or of unknown size that nobody read. */
export function leaveBody(
  source: RequestSource,
  maxBodySize: number,
  request: { readonly isBodyTaken: boolean },
): void {
  const isOpenEnded = source.header('transfer-encoding') !== undefined;
  if (declaresMore(source, maxBodySize) || (isOpenEnded && !request.isBodyTaken)) source.abandonBody();
}

/** How often stores of sessions and keys are asked for a stream, in milliseconds; as for WebSockets by default. */
const CHECK_MS = 30_000;

type Chunk = Uint8Array | string;
type Result = IteratorResult<Chunk, undefined>;
const DONE: Result = { done: true, value: undefined };

/**
 * Has the body end with the credentials of the request: an event stream by an event `error`, any other stream by a cut.
 * A body of known length is a download, which ends by itself.
 */
function endWithCredentials(ctx: Context, response: FwResponse): void {
  const { stream } = response;
  if (stream === undefined || response.headers.has('Content-Length')) return;
  const isText = isEventStream(response) && !response.headers.has('Content-Encoding');
  const lastWords = isText ? (response.lastWords ?? errorEvent) : undefined;
  response.coverStream(new AuthorizedStream(ctx, stream, lastWords));
}

/** The empty lines end an event that was cut by the producer. */
function errorEvent(error: FwError): string {
  const { content } = respondToError(error);
  const text = typeof content === 'string' ? content : new TextDecoder().decode(content);
  return `\n\nevent: error\ndata: ${text}\n\n`;
}

class AuthorizedStream implements AsyncIterable<Chunk>, AsyncIterator<Chunk, undefined> {
  readonly #ctx: Context;
  readonly #stream: AsyncIterable<Chunk>;
  readonly #lastWords: ((error: FwError) => string) | undefined;
  #chunks: Chunks<Chunk> | undefined;
  #watch: AuthorizationWatch | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** Set when it has ended by its credentials. */
  #error: FwError | undefined;
  #hasBegun = false;
  #isOver = false;
  /** Ends the wait for a chunk. */
  #interrupt: (() => void) | undefined;

  constructor(
    ctx: Context,
    stream: AsyncIterable<Chunk>,
    lastWords: ((error: FwError) => string) | undefined,
  ) {
    this.#ctx = ctx;
    this.#stream = stream;
    this.#lastWords = lastWords;
  }

  /** Checked before a response is sent, as that of the stream inside. */
  get locked(): boolean {
    return (this.#stream as { locked?: boolean }).locked === true;
  }

  [Symbol.asyncIterator](): this {
    this.#chunks ??= readChunks(this.#stream);
    return this;
  }

  next(): Promise<Result> {
    if (this.#isOver) return Promise.resolve(DONE);
    this.#begin();
    return new Promise((resolve, reject) => {
      this.#interrupt = () => this.#end(resolve, reject);
      if (this.#error !== undefined) {
        this.#interrupt();
        return;
      }
      const arrived = (result: IteratorResult<Chunk>): void => {
        if (this.#error !== undefined) return;
        this.#interrupt = undefined;
        if (result.done === true) this.#stop();
        resolve(result.done === true ? DONE : result);
      };
      const failed = (error: unknown): void => {
        if (this.#error !== undefined) return;
        this.#stop();
        reject(error as Error);
      };
      (this.#chunks as Chunks<Chunk>).next().then(arrived, failed);
    });
  }

  return(): Promise<Result> {
    this.#stop();
    this.#chunks?.end();
    return Promise.resolve(DONE);
  }

  /** When it is read first: a response to HEAD is not. */
  #begin(): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    const { path } = this.#ctx.target;
    this.#watch = AuthorizationWatch.begin(this.#ctx.credentials, {
      ended: (reason) => {
        this.#error = FwError.unauthorized(reason);
        clearInterval(this.#timer);
        this.#ctx.identity?.end(this.#error);
        this.#chunks?.end();
        this.#interrupt?.();
      },
      failed: (error) => reportError({ error, status: 503, method: this.#ctx.method, path }),
    });
    if (this.#watch?.asksStores !== true) return;
    this.#timer = setInterval(() => this.#watch?.check(false), CHECK_MS);
    this.#timer.unref?.();
  }

  #end(resolve: (result: Result) => void, reject: (error: Error) => void): void {
    this.#isOver = true;
    this.#interrupt = undefined;
    const error = this.#error as FwError;
    if (this.#lastWords === undefined) reject(new CutStream(error.message, { cause: error }));
    else resolve({ done: false, value: this.#lastWords(error) });
  }

  #stop(): void {
    this.#isOver = true;
    this.#interrupt = undefined;
    clearInterval(this.#timer);
    this.#watch?.stop();
  }
}
