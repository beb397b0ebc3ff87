// Interop: one request through an adapted Connect middleware.
import { isPromise, type Next } from '../chain.js';
import type { Context } from '../context.js';
import { reportFor } from '../error-response.js';
import { answered } from '../middleware/answered.js';
import type { FwResponse } from '../response.js';
import { readChunks } from '../streaming/chunks.js';
import { connectRequest } from './connect-request.js';
import { ConnectResponse } from './connect-response.js';
import type { ConnectMiddleware } from './from-connect.js';
import { watchEnd } from './watch-end.js';

/** The answer that the middleware gave itself, or nothing where it called `next()`. */
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
    // Its answer is on the way: nobody is left to answer this.
    if (isSettled) reportFor(ctx, error, 500);
    isSettled = true;
    reject(error);
  };
  const res = new ConnectResponse(req, (response) => {
    if (isSettled) throw new Error(`${name} answered after it had called next(); do one of the two`);
    isSettled = true;
    settle(response);
  });
  closeWithClient(ctx, res);
  const pass = (error?: unknown): void => {
    if (isSettled) throw new Error(`${name} called next() twice, or after it had answered; do it once`);
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
    // An error is answered in its place: the producer of a stream must hear that nobody reads it.
    if (response.isStream) readChunks(response.content as AsyncIterable<Uint8Array | string>).end();
    throw error;
  }
}

/** What is thrown into the chain for `next(error)`. */
function faultOf(error: unknown, name: string): unknown {
  if (error !== 'route' && error !== 'router') return error;
  return new Error(`${name} called next('${error}'), which only the router of Express knows`);
}

/** The answer of the rest never passes through `res.write`: what waits for it there would never see it. */
function rewritesBody(res: ConnectResponse, name: string): Error | undefined {
  const replaced = ['write', 'end'].filter((method) => Object.hasOwn(res, method));
  if (replaced.length === 0) return undefined;
  return new Error(
    `${name} replaces res.${replaced.join(' and res.')}, to change or await the body of answers, which fromConnect() does not support; look for its like in fw, such as fw/compression`,
  );
}

/** `close` where the client leaves early. The signal is asked for only where somebody listens. */
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
