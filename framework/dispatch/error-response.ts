// Errors: makes the response to anything that was thrown, with the application's `onError` or the standard body.

import type { Context } from '../context/context.js';
import type { Next } from '../context/handlers.js';
import { asFwError, type FwError, isThrown, publicMessage } from '../http/errors.js';
import { FwResponse } from '../http/response.js';
import { isPromise, toPromise } from '../promises.js';
import { reportError } from '../tracing/error-channel.js';
import { notePlaceOf } from '../tracing/error-places.js';
import { currentSpan } from '../tracing/span.js';
import { begun, isWebResponse, settle } from './to-response.js';

/**
 * Makes the response to anything that was thrown. An `FwError` keeps its status, its variant and, unless it is
 * internal, its message; everything else, and an `FwError` whose `headers` are invalid, is answered 500 `Internal`
 * with a generic message. The error is reported once, when its response is sent.
 *
 * With the context, the application's `onError` makes the response if there is one: use that in middleware that adds
 * header fields to every response.
 */
export function errorResponse(error: unknown): FwResponse;
export function errorResponse(error: unknown, ctx: Context): Promise<FwResponse>;
export function errorResponse(error: unknown, ctx?: Context): FwResponse | Promise<FwResponse> {
  const response = respondToError(error, ctx);
  return ctx === undefined ? response : Promise.resolve(response);
}

/** The same, at once if nothing is waited for. */
export function respondToError(error: unknown): FwResponse;
export function respondToError(error: unknown, ctx: Context | undefined): FwResponse | Promise<FwResponse>;
export function respondToError(error: unknown, ctx?: Context): FwResponse | Promise<FwResponse> {
  if (ctx !== undefined && isResponse(error)) return thrownResponse(ctx, error);
  if (ctx?.scope.onError === undefined) return wireResponse(error);
  const { onError } = ctx.scope;
  ctx.unqueue();
  ctx.isDescribed = false;
  const answered = (value: unknown): FwResponse | Promise<FwResponse> => {
    const response = settle(ctx, value);
    response.error ??= { thrown: error, span: currentSpan() };
    return begun(ctx, response);
  };
  const failed = (second: unknown): FwResponse => {
    if (second !== error) reportFor(ctx, error, errorStatus(error));
    return wireResponse(second);
  };
  try {
    queueError(ctx, error);
    // What the handler made before it failed is not what onError forgets.
    ctx.hasMade = false;
    const result = onError(error, ctx);
    const response = isPromise(result) ? toPromise(result).then(answered) : answered(result);
    return isPromise(response) ? response.then(undefined, failed) : response;
  } catch (second) {
    return failed(second);
  }
}

function isResponse(thrown: unknown): boolean {
  try {
    return thrown instanceof FwResponse || isWebResponse(thrown);
  } catch {
    // A Proxy.
    return false;
  }
}

/** A response that was thrown is the answer, and no error. What was queued before is dropped, as for all that is thrown. */
function thrownResponse(ctx: Context, thrown: unknown): FwResponse | Promise<FwResponse> {
  ctx.unqueue();
  ctx.isDescribed = false;
  try {
    const ready = begun(ctx, settle(ctx, thrown));
    return isPromise(ready) ? ready.then(undefined, (error: unknown) => respondToError(error, ctx)) : ready;
  } catch (error) {
    // Its body was read already, or it has no status.
    return respondToError(error, ctx);
  }
}

/** Reports an error of a request. */
export function reportFor(ctx: Context, error: unknown, status: number): void {
  const { method, target, route } = ctx;
  const place =
    route === undefined
      ? undefined
      : notePlaceOf(error, 'route', `route ${method} ${route.pattern.source}`, route.place);
  reportError({ error, status, method, path: target.path, ...(place !== undefined && { place }) });
}

/** Queues the header fields of the error, such as `Allow` for 405, which every response to it must carry. */
function queueError(ctx: Context, error: unknown): void {
  ctx.status(errorStatus(error));
  for (const [name, value] of Object.entries(asFwError(error)?.headers ?? {})) ctx.header(name, value);
}

function wireResponse(error: unknown): FwResponse {
  const known = asFwError(error);
  try {
    const response = FwResponse.json(wireBody(known), errorStatus(error));
    for (const [name, value] of Object.entries(known?.headers ?? {})) response.headers.set(name, value);
    response.error = { thrown: error, span: currentSpan(), standard: response.content as string };
    return response;
  } catch (invalid) {
    // A header field that is not valid, or data that JSON cannot represent.
    return wireResponse(new Error(isThrown(invalid, Error) ? invalid.message : UNSENDABLE, { cause: error }));
  }
}

const UNSENDABLE = 'the data of the error cannot be sent';

function wireBody(known: FwError | undefined): object {
  const body = { error: known?.variant ?? 'Internal', message: publicMessage(known) };
  return known === undefined || known.isInternal ? body : { ...body, ...known.bodyFields() };
}

/** The status of the response to a thrown value. */
function errorStatus(error: unknown): number {
  return asFwError(error)?.status ?? 500;
}

/** The response of the rest of the chain; if that rejects, the response to its error. */
export async function answered(ctx: Context, next: Next): Promise<FwResponse> {
  try {
    return await next();
  } catch (error) {
    return respondToError(error, ctx);
  }
}
