// Built-in middleware: gives a request an id, for its response, its events and its handler.

import type { Middleware } from '../context/handlers.js';
import { answered } from '../dispatch/answered.js';
import { FwHeaders } from '../http/headers.js';
import { inSpan } from '../tracing/span.js';

/** Options of `requestId`. */
export interface RequestIdOptions {
  /** The header field that the id is read from and sent in; `X-Request-Id` by default. */
  header?: string;
}

/**
 * Gives every request an id: the one in its header field, if that has 1 to 128 visible ASCII characters, otherwise
 * a new UUID v4. The response carries the id, errors included; `ctx.requestId()` returns it, and the rest of the
 * chain runs in a tracing span with the field `request_id`. Register it before other middleware.
 *
 * @throws Error when the header name is not a token (RFC 9110, section 5.6.2).
 */
export function requestId(options: RequestIdOptions = {}): Middleware {
  const name = options.header ?? 'X-Request-Id';
  new FwHeaders().set(name, '');
  const lower = name.toLowerCase();
  return async function requestId(ctx, next) {
    const inbound = ctx.req.header(lower);
    const id = inbound !== undefined && USABLE.test(inbound) ? inbound : crypto.randomUUID();
    ctx.identify(id);
    const response = await inSpan({ request_id: id }, () => answered(ctx, next));
    response.headers.set(name, id);
    return response;
  };
}

const USABLE = /^[\x21-\x7e]{1,128}$/;

/** The middleware `requestId` as a builder: `new RequestId().header('X-Correlation-Id').build()`. */
export class RequestId {
  #header: string | undefined;

  /**
   * The header field that the id is read from and sent in; `X-Request-Id` by default.
   *
   * @throws Error when the name is not a token (RFC 9110, section 5.6.2).
   */
  header(name: string): this {
    new FwHeaders().set(name, '');
    this.#header = name;
    return this;
  }

  /** Makes the middleware. */
  build(): Middleware {
    return requestId(this.#header === undefined ? {} : { header: this.#header });
  }
}
