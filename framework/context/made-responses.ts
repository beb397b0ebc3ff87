// The responses that the methods of the context make, with the checks of what a handler passes to them.

import { holdErrors } from '../http/chunks.js';
import { ContentType, FwResponse } from '../http/response.js';
import { checkOptions } from '../options/check.js';
import { filled, type Rules, whole } from '../options/rules.js';
import { kindOf, shown } from '../options/shown.js';
import { eventStream } from '../streaming/event-stream.js';
import { checkInterval } from '../streaming/keep-alive.js';
import type { SseEvent } from '../streaming/sse-event.js';

/** @throws Error if the body is not a string */
export function textResponse(method: string, body: string, status: number, type: string): FwResponse {
  if (typeof body !== 'string') throw noString(method, body);
  return new FwResponse(body, status, type);
}

/** @throws Error if it is not an async iterable */
export function streamResponse(chunks: AsyncIterable<Uint8Array | string>): FwResponse {
  checkIterable('ctx.stream', chunks);
  holdErrors(chunks);
  return FwResponse.ofStream(chunks, 200);
}

/** Options of `ctx.stream`. */
export interface StreamOptions {
  /** `application/octet-stream` by default. */
  readonly contentType?: string;
  /** 200 by default. */
  readonly status?: number;
}

const STREAM_RULES: Rules<StreamOptions> = { contentType: filled, status: whole(200, 599) };

/**
 * Sets the content type of a stream. Returns the status that the options name.
 *
 * @throws ConfigError if an option is unknown or not of its kind; Error if it is not a valid header value
 */
export function describeStream(response: FwResponse, options: StreamOptions | string): number | undefined {
  const given: StreamOptions =
    typeof options === 'string'
      ? { contentType: options }
      : checkOptions('ctx.stream', options, STREAM_RULES);
  const { contentType = ContentType.bytes, status } = given;
  response.headers.set('Content-Type', contentType);
  return status;
}

/** @throws Error if it is not an async iterable, or the interval is not a whole number above 0 */
export function eventsResponse(events: AsyncIterable<SseEvent>, keepAliveMs?: number): FwResponse {
  checkIterable('ctx.sse', events);
  if (keepAliveMs !== undefined) checkInterval(keepAliveMs);
  return eventStream(events, keepAliveMs);
}

/** @throws Error if it is not an async iterable, or the interval is not a whole number above 0 */
export function keepAliveResponse(events: AsyncIterable<SseEvent>, intervalMs: number): FwResponse {
  checkIterable('ctx.sseKeepAlive', events);
  checkInterval(intervalMs);
  return eventStream(events, intervalMs);
}

/** @throws Error if the status is not that of a redirect, or the location is not a valid header value */
export function redirectResponse(location: string | URL, status: number): FwResponse {
  checkRedirect(status);
  const response = new FwResponse('', status, undefined);
  response.headers.set('Location', encodeLocation(location));
  return response;
}

/** Checked at run time, because a value from `req.json<T>()` has the type T without being checked. */
function noString(method: string, body: unknown): Error {
  return new Error(`${method}() takes a string, got ${kindOf(body)}`);
}

function checkIterable(method: string, value: unknown): void {
  if (typeof (value as AsyncIterable<unknown> | null)?.[Symbol.asyncIterator] === 'function') return;
  throw new Error(`${method}() takes an async iterable, such as an async generator`);
}

/**
 * Percent-encodes what no URL has (RFC 3986, section 2), and leaves what is encoded already. A backslash is one of them:
 * browsers take `/\host` for `//host`. A CR or LF is left for the header check to refuse.
 */
function encodeLocation(location: string | URL): string {
  if (location instanceof URL) return location.href;
  if (typeof location !== 'string') throw noString('ctx.redirect', location);
  return location.replace(NOT_IN_URLS, (text) =>
    text === '%' ? '%25' : encodeURIComponent(text.replace(LONE, '\ufffd')),
  );
}

// Stryker disable next-line Regex: encoding one character at a time gives the same result
const NOT_IN_URLS = /[^\n\r!#$%&'()*+,\-./0-9:;=?@A-Z[\]_a-z~]+|%(?![0-9A-Fa-f]{2})/g;

/** A surrogate without its other half, which has no form in UTF-8. */
const LONE = /\p{Surrogate}/gu;

/** @throws Error if it is not the status of a redirect */
function checkRedirect(status: number): void {
  if ([301, 302, 303, 307, 308].includes(status)) return;
  const remedy = typeof status === 'number' ? '' : ", as a number: ctx.redirect('/', 303)";
  throw new Error(`${shown(status)} is not a redirect status: use 301, 302, 303, 307 or 308${remedy}`);
}
