// Handler results: converts every kind of returned value to an FwResponse.
import type { Context } from '../context/context.js';
import { ContentType, FwResponse } from '../http/response.js';
import type { ChainRules } from './chain.js';

/** Converts a value to a response, with what was queued on the context. @throws Error like `toResponse`. */
export function settle(ctx: Context, value: unknown): FwResponse {
  return ctx.applyQueued(value instanceof FwResponse ? value : toResponse(value));
}

/** How the chain of a request treats the values that its steps return. */
export const requestRules: ChainRules<Context, FwResponse> = {
  noun: 'middleware',
  finish: settle,
  accept: (ctx, value) => (value instanceof FwResponse ? ctx.applyQueued(value) : undefined),
  convert(ctx, value, name) {
    if (isWebResponse(value)) return settle(ctx, value);
    const kind = value === null ? 'null' : `a ${typeof value}`;
    throw new Error(`${name} returned ${kind}; return a response, or nothing after next()`);
  },
  keep: (ctx, response) => ctx.applyQueued(response),
  deadline: (ctx) => ctx.deadline,
};

/**
 * `FwResponse` and web `Response` as they are; string → text; `Uint8Array` → octet-stream; `undefined` → 204;
 * object, array, number, boolean, null → JSON. An Error counts as thrown.
 *
 * @throws Error for values that cannot be converted, such as functions, symbols, bigints and streams.
 */
export function toResponse(value: unknown): FwResponse {
  // Stryker disable next-line ConditionalExpression: most values are plain objects; this is only faster
  if (isPlain(value)) return FwResponse.json(value);
  if (typeof value === 'string') return new FwResponse(value, 200, ContentType.text);
  if (value === undefined) return new FwResponse('', 204, undefined);
  if (value instanceof Uint8Array) return new FwResponse(value, 200, ContentType.bytes);
  if (isWebResponse(value)) return fromWebResponse(value);
  // Its JSON would be sent with status 200, as if there was no error.
  if (value instanceof Error) throw value;
  if (isStream(value)) throw new Error('a handler returned a stream; return new Response(stream)');
  return FwResponse.json(value);
}

/**
 * Checks the tag of the value instead of using the global `Response`: that would make Node load its fetch
 * implementation, which takes 12 ms at the first request, also in applications without web Responses.
 */
export function isWebResponse(value: unknown): value is Response {
  return Object.prototype.toString.call(value) === '[object Response]';
}

/** Whether it is an object whose JSON is the response. */
export function isPlain(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.getPrototypeOf(value) === Object.prototype &&
    !(Symbol.asyncIterator in value || Symbol.toStringTag in value)
  );
}

function isStream(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

function fromWebResponse(response: Response): FwResponse {
  if (response.type === 'error') throw new Error('a handler returned Response.error(), which has no status');
  if (response.bodyUsed || response.body?.locked)
    throw new Error('a handler returned a Response whose body was already read; return a clone');
  const result =
    response.body === null
      ? new FwResponse('', response.status, undefined)
      : FwResponse.ofStream(response.body as AsyncIterable<Uint8Array>, response.status);
  for (const [name, value] of response.headers) {
    if (!HOP_BY_HOP.has(name)) result.headers.append(name, value);
  }
  return result;
}

/** RFC 9110, section 7.6.1: hop-by-hop fields, which the server sets itself. */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);
