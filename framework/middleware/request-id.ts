// Built-in middleware: gives a request an id, for its response, its events and its handler.

import type { Middleware } from '../context/handlers.js';
import { answered } from '../dispatch/error-response.js';
import { checkOptions, checkValue } from '../options/check.js';
import { flag, headerName, type Rules, renamedTo } from '../options/rules.js';
import { inSpan } from '../tracing/span.js';

/** Options of `requestId`. */
export interface RequestIdOptions {
  /** The header field that the id is read from and sent in; `X-Request-Id` by default. */
  headerName?: string;
  /** @deprecated Use `headerName`. */
  header?: string;
  /**
   * Takes only the ids of proxies that `app.trustProxy` trusts; off by default, so that every client can choose the id of
   * its requests in logs.
   */
  trustedOnly?: boolean;
}

/**
 * Gives every request an id: the one in its header field, if that has 1 to 128 visible ASCII characters, otherwise
 * a new UUID v4. The response carries the id, errors included; `ctx.requestId()` returns it, and the rest of the
 * chain runs in a tracing span with the field `request_id`. Register it before other middleware.
 *
 * @throws ConfigError if an option is unknown, or the header name is not a token (RFC 9110, section 5.6.2).
 */
export function requestId(options: RequestIdOptions = {}): Middleware {
  const given = checkOptions('requestId', options, RULES);
  const { headerName: name = 'X-Request-Id', trustedOnly = false } = given;
  const lower = name.toLowerCase();
  return async function requestId(ctx, next) {
    const inbound = trustedOnly && !ctx.isFromProxy ? undefined : ctx.req.header(lower);
    const id = inbound !== undefined && USABLE.test(inbound) ? inbound : crypto.randomUUID();
    ctx.identify(id);
    const response = await inSpan({ request_id: id }, () => answered(ctx, next));
    response.headers.set(name, id);
    return response;
  };
}

const RULES: Rules<RequestIdOptions> = {
  headerName,
  header: renamedTo('headerName'),
  trustedOnly: flag,
};

const USABLE = /^[\x21-\x7e]{1,128}$/;

/** The middleware `requestId` as a builder, which never changes: `new RequestId().headerName('X-Correlation-Id').build()`. */
export class RequestId {
  readonly #options: RequestIdOptions;

  constructor(options: RequestIdOptions = {}) {
    this.#options = checkOptions('RequestId', options, RULES);
  }

  /**
   * The header field that the id is read from and sent in; `X-Request-Id` by default.
   *
   * @throws ConfigError if the name is not a token (RFC 9110, section 5.6.2).
   */
  headerName(name: string): RequestId {
    checkValue('RequestId', 'headerName', name, headerName);
    return new RequestId({ ...this.#options, headerName: name });
  }

  /** @deprecated Use `headerName`. */
  header(name: string): RequestId {
    return this.headerName(name);
  }

  /** Takes only the ids of proxies that `app.trustProxy` trusts. */
  trustedOnly(on: boolean): RequestId {
    return new RequestId({ ...this.#options, trustedOnly: on });
  }

  /** Makes the middleware. */
  build(): Middleware {
    return requestId(this.#options);
  }
}
