// Errors: how any thrown thing becomes the one response, by the application's `onError` or in the wire form.
import { isPromise } from './chain.js';
import type { Context } from './context.js';
import { asFwError, type FwErrorVariant } from './errors.js';
import { FwResponse } from './response.js';
import { toResponse } from './to-response.js';
import { reportError } from './tracing/error-channel.js';

/** What a client sees of an error whose text is internal. */
const GENERIC_MESSAGE = 'internal server error';

/** Variants whose message may tell internals: the client gets `GENERIC_MESSAGE`, the error channel the text. */
const OPAQUE: ReadonlySet<FwErrorVariant> = new Set(['Internal', 'DatabaseError']);

/**
 * The response for anything that was thrown: an `FwError` keeps its status, variant and (unless internal)
 * message; everything else, and an `FwError` whose `headers` are invalid, is `Internal` with the generic
 * message. The error is reported once, when its response is the one that is sent.
 *
 * With the context, the application's `onError` answers where there is one: that is what a middleware wants
 * that adds header fields to every response.
 */
export function errorResponse(error: unknown): FwResponse;
export function errorResponse(error: unknown, ctx: Context): FwResponse | Promise<FwResponse>;
export function errorResponse(error: unknown, ctx?: Context): FwResponse | Promise<FwResponse> {
  const onError = ctx?.scope?.onError;
  if (ctx === undefined || onError === undefined) return wireResponse(error);
  ctx.unqueue();
  const answered = (value: unknown): FwResponse => {
    const response = ctx.settle(toResponse(value));
    response.error ??= { thrown: error };
    return response;
  };
  const failed = (second: unknown): FwResponse => {
    if (second !== error) reportFor(ctx, error, errorStatus(error));
    return wireResponse(second);
  };
  try {
    queueError(ctx, error);
    const result = onError(error, ctx);
    return isPromise(result) ? result.then(answered).then(undefined, failed) : answered(result);
  } catch (second) {
    return failed(second);
  }
}

/** Reports an error of a request. */
export function reportFor(ctx: Context, error: unknown, status: number): void {
  const { method, target } = ctx;
  reportError({ error, status, method, path: target.path });
}

/** What an answer to the error must carry whoever makes it, such as `Allow` with 405. */
function queueError(ctx: Context, error: unknown): void {
  ctx.status(errorStatus(error));
  for (const [name, value] of Object.entries(asFwError(error)?.headers ?? {})) ctx.header(name, value);
}

function wireResponse(error: unknown): FwResponse {
  const known = asFwError(error);
  const variant = known?.variant ?? 'Internal';
  const message = known && !OPAQUE.has(variant) ? known.message : GENERIC_MESSAGE;
  const response = FwResponse.json({ error: variant, message }, errorStatus(error));
  try {
    for (const [name, value] of Object.entries(known?.headers ?? {})) response.headers.set(name, value);
  } catch (invalid) {
    return wireResponse(new Error((invalid as Error).message, { cause: error }));
  }
  response.error = { thrown: error };
  return response;
}

/** The status that a thrown thing is answered with. */
function errorStatus(error: unknown): number {
  return asFwError(error)?.status ?? 500;
}
