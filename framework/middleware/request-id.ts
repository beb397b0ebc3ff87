// Built-in middleware: one id for a request, in its answer, in its events and for the handler.
import type { Middleware } from '../chain.js';
import { FwHeaders } from '../headers.js';
import { withSpan } from '../tracing/span.js';
import { answered } from './answered.js';

export interface RequestIdOptions {
  /** The header field that brings and returns the id; `X-Request-Id` by default. */
  header?: string;
}

/**
 * Gives every request an id: the one that came in the header field, where that is 1 to 128 visible ASCII
 * characters, else a new UUID v4. The answer carries it, errors included; `ctx.requestId()` gives it, and the
 * rest of the chain runs in a tracing span with the field `request_id`. Register it first.
 *
 * @throws Error when the header name is invalid.
 */
export function requestId(options: RequestIdOptions = {}): Middleware {
  const name = options.header ?? 'X-Request-Id';
  new FwHeaders().set(name, '');
  const lower = name.toLowerCase();
  return async function requestId(ctx, next) {
    const inbound = ctx.req.header(lower);
    const id = inbound !== undefined && USABLE.test(inbound) ? inbound : crypto.randomUUID();
    ctx.identify(id);
    const response = await withSpan({ request_id: id }, () => answered(ctx, next));
    response.headers.set(name, id);
    return response;
  };
}

const USABLE = /^[\x21-\x7e]{1,128}$/;

/** `new RequestId().header('X-Correlation-Id').build()`. */
export class RequestId {
  #header: string | undefined;

  /** @throws Error when the name is no header name. */
  header(name: string): this {
    new FwHeaders().set(name, '');
    this.#header = name;
    return this;
  }

  build(): Middleware {
    return requestId(this.#header === undefined ? {} : { header: this.#header });
  }
}
