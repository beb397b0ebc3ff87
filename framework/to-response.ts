// Handler results: every kind of returned value becomes an FwResponse here.
import { ContentType, FwResponse } from './response.js';

/** What a handler may return; see `toResponse` for what each becomes. */
export type HandlerResult =
  | FwResponse
  | Response
  | Uint8Array
  | string
  | number
  | boolean
  | null
  | undefined
  // biome-ignore lint/suspicious/noConfusingVoidType: a handler without a return statement is typed void.
  | void
  | object;

/**
 * `FwResponse` and web `Response` as they are; string → text; `Uint8Array` → octet-stream; `undefined` → 204;
 * object, array, number, boolean, null → JSON. An Error counts as thrown.
 *
 * @throws Error for values that no response can be made from (functions, symbols, bigints, streams).
 */
export function toResponse(value: unknown): FwResponse {
  if (value instanceof FwResponse) return value;
  if (typeof value === 'string') return new FwResponse(value, 200, ContentType.text);
  if (value === undefined) return new FwResponse('', 204, undefined);
  if (value instanceof Uint8Array) return new FwResponse(value, 200, ContentType.bytes);
  if (isWebResponse(value)) return fromWebResponse(value);
  // Its JSON would be a 200 that looks like nothing happened.
  if (value instanceof Error) throw value;
  if (isStream(value)) throw new Error('a handler returned a stream; return new Response(stream)');
  if (hidesItsContent(value)) {
    const kind = Object.prototype.toString.call(value).slice(8, -1);
    throw new Error(`a handler returned a ${kind}, whose JSON would be {}; convert it first`);
  }
  return FwResponse.json(value);
}

/**
 * Asked of the value, not of the global: naming `Response` makes Node load its fetch implementation, 12 ms that
 * an application without web Responses need not pay at its first request.
 */
export function isWebResponse(value: unknown): value is Response {
  return Object.prototype.toString.call(value) === '[object Response]';
}

/** Objects that JSON.stringify turns into `{}` without a word. */
export function hidesItsContent(value: unknown): boolean {
  if (
    typeof value !== 'object' ||
    value === null ||
    typeof (value as { toJSON?: unknown }).toJSON === 'function'
  ) {
    return false;
  }
  return (
    value instanceof Map ||
    value instanceof Set ||
    value instanceof ArrayBuffer ||
    HIDING.test(Object.prototype.toString.call(value))
  );
}

/** Also what some libraries stream by, which nobody reads here. */
const HIDING =
  /^\[object (?:Blob|File|FormData|Headers|URLSearchParams|RegExp|Weak(?:Map|Set|Ref)|ReadableStream|Promise|(?:Async)?Generator|.*Iterator(?: Helper)?)\]$/;

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
      : new FwResponse(response.body as AsyncIterable<Uint8Array>, response.status, undefined, true);
  for (const [name, value] of response.headers) {
    if (!HOP_BY_HOP.has(name)) result.headers.append(name, value);
  }
  return result;
}

/** RFC 9110, section 7.6.1: fields of one connection, which the server sets itself. */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);
