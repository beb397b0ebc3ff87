// Interop: runs an adapted Connect middleware for one request.

import type { Context } from '../../context/context.js';
import type { Next } from '../../context/handlers.js';
import { answered, reportFor } from '../../dispatch/error-response.js';
import { readChunks } from '../../http/chunks.js';
import { type FwResponse, isBodiless, OF_THE_BODY } from '../../http/response.js';
import { isPromise } from '../../promises.js';
import { connectRequest } from './connect-request.js';
import { ConnectResponse } from './connect-response.js';
import type { ConnectMiddleware } from './from-connect.js';

/** The response that the middleware made itself, or undefined if it called `next()`. */
type Outcome = FwResponse | undefined;

export async function runConnect(
  middleware: ConnectMiddleware,
  name: string,
  ctx: Context,
  next: Next,
): Promise<FwResponse> {
  const req = connectRequest(ctx);
  let isSettled = false;
  let settle: (outcome: Outcome) => void = () => {};
  let reject: (error: unknown) => void = () => {};
  const outcome = new Promise<Outcome>((resolve, refuse) => {
    settle = resolve;
    reject = refuse;
  });
  const fail = (error: unknown): void => {
    // Its response is already being sent, so the error can only be reported.
    if (isSettled) reportFor(ctx, error, 500);
    isSettled = true;
    reject(error);
  };
  // Thrown in a timer or an event, it would end the process.
  const refuse = (what: string, options?: ErrorOptions): void =>
    reportFor(ctx, new Error(`${name} ${what}`, options), 500);
  const res = new ConnectResponse(req, (response) => {
    if (isSettled) {
      response.discard();
      refuse('answered after it had called next(); do one of the two');
      return;
    }
    isSettled = true;
    settle(response);
  });
  closeWithClient(ctx, res);
  const pass = (error?: unknown): void => {
    if (isSettled) {
      refuse('called next() twice, or after it had answered; do it once', error ? { cause: error } : {});
      return;
    }
    const fault = error ? faultOf(error, name) : rewritesBody(res, name);
    if (fault !== undefined) {
      fail(fault);
      return;
    }
    isSettled = true;
    settle(undefined);
  };
  try {
    const result = middleware(req, res, pass);
    if (isPromise(result)) result.then(undefined, fail);
  } catch (error) {
    fail(error);
  }
  const own = await outcome;
  const response = own ?? (await answered(ctx, next));
  if (own === undefined) complete(res, response);
  watchEnd(response, ctx.req.method === 'HEAD', res);
  return response;
}

function complete(res: ConnectResponse, response: FwResponse): void {
  try {
    res.complete(response);
  } catch (error) {
    // An error is answered instead, so the producer of the unsent stream must be stopped.
    response.discard();
    throw error;
  }
}

/** The error that is thrown for `next(error)`. */
function faultOf(error: unknown, name: string): unknown {
  if (error !== 'route' && error !== 'router') return error;
  return new Error(`${name} called next('${error}'), which only the router of Express knows`);
}

/** The response of the rest does not pass through `res.write`, so middleware that replaces it would never see it. */
function rewritesBody(res: ConnectResponse, name: string): Error | undefined {
  const replaced = ['write', 'end'].filter((method) => Object.hasOwn(res, method));
  if (replaced.length === 0) return undefined;
  return new Error(
    `${name} replaces res.${replaced.join(' and res.')}, to change or await the body of responses, which fromConnect() does not support; use a middleware of fw instead, such as fw/compression`,
  );
}

/** Emits `close` if the client disconnects early. The signal is created only if something listens. */
function closeWithClient(ctx: Context, res: ConnectResponse): void {
  let isWatched = false;
  const watch = (event: string | symbol): void => {
    if (isWatched || (event !== 'close' && event !== 'aborted')) return;
    isWatched = true;
    const { signal } = ctx;
    if (signal.aborted) queueMicrotask(() => res.close());
    else signal.addEventListener('abort', () => res.close(), { once: true });
  };
  for (const emitter of [res, res.req, res.socket]) {
    for (const event of emitter.eventNames()) watch(event);
    emitter.on('newListener', watch);
  }
}

/** Notifies adapted middleware when the complete response was taken, or will not be taken. */
function watchEnd(response: FwResponse, isHead: boolean, res: ConnectResponse): void {
  const { stream } = response;
  if (stream !== undefined) watchStream(response, stream, isHead, res);
  else {
    showLength(response, res);
    queueMicrotask(() => res.finish());
  }
}

function watchStream(
  response: FwResponse,
  source: AsyncIterable<Uint8Array | string>,
  isHead: boolean,
  res: ConnectResponse,
): void {
  const stream = new WatchedStream(source, {
    complete: () => res.finish(),
    broken: () => (isHead ? res.finish() : res.close()),
  });
  // The bytes are the same, so the header fields that describe them are kept.
  const kept = OF_THE_BODY.map((name) => [name, response.headers.get(name)] as const);
  response.body = { kind: 'stream', stream };
  for (const [name, value] of kept) if (value !== undefined) response.headers.set(name, value);
}

/** The server adds the Content-Length of a body in memory, but loggers read it before. */
function showLength({ status, content }: FwResponse, res: ConnectResponse): void {
  if (isBodiless(status) || res.fields.has('content-length')) return;
  res.fields.set('Content-Length', Buffer.byteLength(content));
}

interface StreamEnd {
  complete(): void;
  broken(): void;
}

class WatchedStream implements AsyncIterable<Uint8Array | string> {
  readonly #stream: AsyncIterable<Uint8Array | string>;
  readonly #end: StreamEnd;

  constructor(stream: AsyncIterable<Uint8Array | string>, end: StreamEnd) {
    this.#stream = stream;
    this.#end = end;
  }

  get locked(): boolean {
    return (this.#stream as { locked?: boolean }).locked === true;
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array | string> {
    const chunks = readChunks(this.#stream);
    const end = this.#end;
    return {
      async next() {
        try {
          const result = await chunks.next();
          if (result.done) end.complete();
          return result;
        } catch (error) {
          end.broken();
          throw error;
        }
      },
      async return() {
        chunks.end();
        end.broken();
        return { done: true, value: undefined };
      },
    };
  }
}
