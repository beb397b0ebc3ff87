// Handler results: converts every kind of returned value to an FwResponse.

import type { Context } from '../context/context.js';
import { CutStream } from '../http/chunks.js';
import { endUnsent, isStream } from '../http/end-unsent.js';
import { isThrown } from '../http/errors.js';
import { listMembers } from '../http/field-list.js';
import type { HandedStream } from '../http/handed-stream.js';
import { isLiteral } from '../http/json-form.js';
import { ContentType, FwResponse, isBodiless } from '../http/response.js';
import { typeOnBun } from '../http/type-on-bun.js';
import { keepOrigin, switchingOrigin } from '../http/web-origin.js';
import { kindOf } from '../options/shown.js';
import { nextTurn } from '../promises.js';
import { isEventStream } from '../streaming/event-stream.js';
import { THIS_RUNTIME } from '../this-runtime.js';
import type { ChainRules } from './chain.js';

/** Converts a value to a response, with what was queued on the context. @throws Error like `toResponse`. */
export function settle(ctx: Context, value: unknown): FwResponse {
  if (value === undefined && ctx.hasMade) {
    throw new Error('a handler made a response, as by ctx.json(), and returned nothing; return the response');
  }
  return ctx.applyQueued(value instanceof FwResponse ? value : toResponse(value));
}

/** How the chain of a request treats the values that its steps return. */
export const requestRules: ChainRules<Context, FwResponse> = {
  noun: 'middleware',
  finish: (ctx, value) => begun(ctx, settle(ctx, value)),
  accept: (ctx, value) => (value instanceof FwResponse ? ctx.applyQueued(value) : undefined),
  convert(ctx, value, name) {
    if (isWebResponse(value)) return settle(ctx, value);
    throw new Error(`${name} returned ${kindOf(value)}; return a response, or nothing after next()`);
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
  refuseStream(value);
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
    isLiteral(value) &&
    !(Symbol.asyncIterator in value || Symbol.toStringTag in value)
  );
}

/** Ends a stream that has no response. @throws Error if it is one. */
export function refuseStream(value: unknown): void {
  if (!isStream(value)) return;
  endUnsent(value);
  throw new Error('a handler returned a stream; return new Response(stream)');
}

function fromWebResponse(response: Response): FwResponse {
  if (response.type === 'error') throw new Error('a handler returned Response.error(), which has no status');
  const type = typeOnBun(response);
  if (response.bodyUsed || response.body?.locked)
    throw new Error('a handler returned a Response whose body was already read; return a clone');
  const result =
    response.body === null
      ? new FwResponse('', response.status, undefined)
      : FwResponse.ofStream(response.body as AsyncIterable<Uint8Array>, response.status);
  keepOrigin(result, response);
  result.switchProtocol = switchingOrigin(response);
  const isDropped = droppedFields(response);
  for (const [name, value] of response.headers) if (!isDropped(name)) result.headers.append(name, value);
  if (type !== undefined) result.headers.set('Content-Type', type);
  return result;
}

/**
 * RFC 9110, section 7.6.1: hop-by-hop fields, which the server sets itself, and those of a proxy. `Trailer` and
 * `Transfer-Encoding` say how the upstream has sent the body.
 */
export const HOP_BY_HOP: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authentication-info',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Which fields of a Response, by lower-case name, are not those of what is sent. */
export function droppedFields({ headers, url }: Response): (name: string) => boolean {
  const listed = listMembers(headers.get('connection') ?? '').map((name) => name.toLowerCase());
  // The body of a Response of fetch is decoded; these fields describe what came over the wire.
  const isDecoded = url !== '' && isDecodedByFetch(headers.get('content-encoding'));
  return (name) =>
    HOP_BY_HOP.has(name) ||
    listed.includes(name) ||
    (isDecoded && (name === 'content-encoding' || name === 'content-length'));
}

/** Whether fetch decodes all codings of the field; with one that it does not know, it leaves the body as it is. */
function isDecodedByFetch(codings: string | null): boolean {
  return codings !== null && listMembers(codings).every((coding) => DECODED.has(coding.toLowerCase()));
}

const DECODED: ReadonlySet<string> = new Set([
  'gzip',
  'x-gzip',
  'deflate',
  'br',
  ...(decodesZstandard() ? ['zstd'] : []),
]);

/** Bun, and Node.js since its fetch of version 7.11. */
function decodesZstandard(): boolean {
  if (THIS_RUNTIME === 'Bun') return true;
  const { process } = globalThis as { process?: { versions?: { undici?: string } } };
  const [major = 0, minor = 0] = (process?.versions?.undici ?? '').split('.').map(Number);
  return major > 7 || (major === 7 && minor >= 11);
}

/**
 * The same response, once the first chunk of its stream is there. The head of an event stream must not wait for the
 * first event, which may come hours later: only a producer that fails in the same turn of the event loop is answered.
 * `requestTimeout` is not running meanwhile. Rejects with what the producer throws, unless it cuts off its stream: who
 * reads that connects again, which browsers do not after a status of an error.
 */
export function begun(ctx: Context, response: FwResponse): FwResponse | Promise<FwResponse> {
  const { handed } = response;
  if (handed === undefined || handed.hasBegun || handed.locked) return response;
  if (ctx.method === 'HEAD' || isBodiless(response.status)) return response;
  return begin(ctx, response, handed);
}

function unlessCut(error: unknown): void {
  if (!isThrown(error, CutStream)) throw error;
}

async function begin(ctx: Context, response: FwResponse, handed: HandedStream): Promise<FwResponse> {
  ctx.deadline?.pause();
  try {
    const first = handed.begin((callback) => ctx.whenOver(callback)).catch(unlessCut);
    await (isEventStream(response) ? Promise.race([first, nextTurn()]) : first);
  } finally {
    ctx.deadline?.resume();
  }
  return response;
}
