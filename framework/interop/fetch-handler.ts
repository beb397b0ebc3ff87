// Interop: uses a web-standard fetch handler as the handler of routes under a prefix.

import { ConfigError } from '../config-error.js';
import type { Context } from '../context/context.js';
import type { RouteHandler } from '../context/handlers.js';
import type { FwRequest } from '../context/request.js';
import { isWebResponse } from '../dispatch/to-response.js';
import { asFwError, FwError } from '../http/errors.js';
import { parsePattern } from '../router/pattern.js';

/** A fetch handler, as fetch runtimes and other frameworks have it: takes a web Request, returns a web Response. */
export type FetchHandler = (request: Request) => Response | Promise<Response>;

/** The Fetch standard does not allow these methods for a Request. */
const FORBIDDEN: ReadonlySet<string> = new Set(['CONNECT', 'TRACE', 'TRACK']);

const BODILESS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/** The name must differ from the parameters of the prefix. */
const REST = '$rest_of_mount';

/** The patterns of the prefix itself and of everything below it. @throws ConfigError when the prefix is malformed. */
export function mountPatterns(prefix: string): string[] {
  if (prefix === '' || prefix === '/') {
    throw new ConfigError(
      'FW_MOUNT',
      `a fetch handler is mounted under a prefix such as '/legacy', not at '${prefix}'`,
    );
  }
  if (prefix.endsWith('/')) {
    throw new ConfigError(
      'FW_MOUNT',
      `malformed mount prefix '${prefix}': write it without the trailing slash`,
    );
  }
  const { parts } = parsePattern(prefix);
  if (parts.at(-1)?.kind === 'rest') {
    throw new ConfigError(
      'FW_MOUNT',
      `malformed mount prefix '${prefix}': everything below it is mounted, so leave out its last segment`,
    );
  }
  return [prefix, `${prefix}/`, `${prefix}/*${REST}`];
}

/**
 * Makes a route handler that calls the fetch handler with the request without the prefix.
 *
 * @throws ConfigError when it is neither a function nor an object with one named `fetch`.
 */
export function fetchHandler(prefix: string, target: FetchHandler | { fetch: FetchHandler }): RouteHandler {
  const handle = typeof target === 'function' ? target : target?.fetch?.bind(target);
  if (typeof handle !== 'function') {
    throw new ConfigError(
      'FW_MOUNT',
      `mount('${prefix}') takes a function (request) => Response, or an object with fetch(request)`,
    );
  }
  return async function mountedFetch(ctx) {
    const body: ForwardedBody = { refused: undefined };
    const response = await answerOf(handle, makeRequest(ctx, body), body);
    if (isWebResponse(response)) return response;
    throw new Error(
      `the handler mounted under '${prefix}' returned no Response; return one for every request`,
    );
  };
}

interface ForwardedBody {
  /** Why the handler could not read the whole body: it is over the limit, late, or the client has disconnected. */
  refused: FwError | undefined;
}

/** If the body was refused, that is the answer, however the handler answers the error of reading it. */
async function answerOf(handle: FetchHandler, request: Request, body: ForwardedBody): Promise<unknown> {
  let response: Response | undefined;
  try {
    response = await handle(request);
  } catch (error) {
    throw body.refused ?? error;
  }
  if (body.refused === undefined) return response;
  response?.body?.cancel().then(undefined, () => {});
  throw body.refused;
}

function makeRequest(ctx: Context, body: ForwardedBody): Request {
  const { method } = ctx.req;
  if (FORBIDDEN.has(method)) {
    const headers = { Allow: 'DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT' };
    throw FwError.methodNotAllowed(`${method} is not allowed here; use ${headers.Allow}`, { headers });
  }
  return new Request(ctx.req.uri.origin + withoutPrefix(ctx.req), {
    method,
    headers: ctx.req.headers(),
    signal: ctx.signal,
    redirect: 'manual',
    ...(!BODILESS.has(method) && { body: forwarded(ctx, body), duplex: 'half' }),
  });
}

function forwarded(ctx: Context, body: ForwardedBody): ReadableStream<Uint8Array> {
  return ctx.req.body.forward((error) => {
    body.refused = asFwError(error);
  });
}

/** The target below the prefix, as sent. Decoding does not change the number of segments, so they can be counted. */
function withoutPrefix(req: FwRequest): string {
  const mark = req.target.indexOf('?');
  const path = mark === -1 ? req.target : req.target.slice(0, mark);
  const count = req.paramText(REST)?.split('/').length ?? 0;
  const rest = count === 0 ? '' : path.split('/').slice(-count).join('/');
  // URL treats a backslash as a slash, and `\..` could then remove segments that middleware has checked.
  return `/${rest.replaceAll('\\', '%5C')}${mark === -1 ? '' : req.target.slice(mark)}`;
}
