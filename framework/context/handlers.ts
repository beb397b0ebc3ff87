// Types of handlers and middleware, and of what they may return.
import type { FwResponse } from '../http/response.js';
import type { Context } from './context.js';

/**
 * What a handler may return: a response as it is, a string as text, a `Uint8Array` as `application/octet-stream`,
 * `undefined` as 204, and everything else as JSON.
 */
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

/** Answers the requests of a route, or requests that match no route. */
export type RouteHandler = (ctx: Context) => HandlerResult | Promise<HandlerResult>;

/** Answers a request for which middleware or a handler threw `error`. */
export type ErrorHandler<Result = HandlerResult> = (error: unknown, ctx: Context) => Result | Promise<Result>;

/** Runs the rest of the chain; may be called once. Resolves to its response, rejects with what it threw. */
export type Next = (ctx?: Context) => Promise<FwResponse>;

/** What a middleware may return: a response of its own, or nothing to keep the response of `next()`. */
// biome-ignore lint/suspicious/noConfusingVoidType: a middleware without a return statement is typed void.
export type MiddlewareResult = FwResponse | Response | undefined | void;

/**
 * A function around the handler. It calls `next()` to run the rest of the chain, or returns a response without
 * calling it to answer itself, or throws to answer with an error.
 */
export type Middleware = (ctx: Context, next: Next) => MiddlewareResult | Promise<MiddlewareResult>;

/** The end of the chain: the route's handler, or what answers if no route matches. */
export type FinalHandler = (ctx: Context) => unknown;
