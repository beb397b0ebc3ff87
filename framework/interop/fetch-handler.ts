// Interop: a web-standard fetch handler as the handler of routes under a prefix.
import type { Context } from '../context.js';
import { asFwError, FwError } from '../errors.js';
import type { FwRequest } from '../request.js';
import { parsePattern } from '../router/pattern.js';
import type { RouteHandler } from '../routes.js';
import { isWebResponse } from '../to-response.js';

/** What fetch runtimes call with a request. */
export type FetchHandler = (request: Request) => Response | Promise<Response>;

/** The fetch specification lets no web Request have one of these methods. */
const FORBIDDEN: ReadonlySet<string> = new Set(['CONNECT', 'TRACE', 'TRACK']);

const BODILESS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/** A name that no prefix is likely to have taken. */
const REST = '$rest_of_mount';

/** The patterns of the prefix itself and of everything below it. @throws Error when the prefix is malformed. */
export function mountPatterns(prefix: string): string[] {
  if (prefix === '' || prefix === '/') {
    throw new Error(`a fetch handler is mounted under a prefix such as '/legacy', not at '${prefix}'`);
  }
  if (prefix.endsWith('/')) {
    throw new Error(`malformed mount prefix '${prefix}': write it without the slash at its end`);
  }
  const { parts } = parsePattern(prefix);
  if (parts.at(-1)?.kind === 'rest') {
    throw new Error(
      `malformed mount prefix '${prefix}': everything below it is mounted, so leave out its last segment`,
    );
  }
  return [prefix, `${prefix}/`, `${prefix}/*${REST}`];
}

/**
 * Answers with what the fetch handler gives for the request without the prefix.
 *
 * @throws Error when it is neither a function nor an object with one named `fetch`.
 */
export function fetchHandler(prefix: string, target: FetchHandler | { fetch: FetchHandler }): RouteHandler {
  const handle = typeof target === 'function' ? target : target?.fetch?.bind(target);
  if (typeof handle !== 'function') {
    throw new Error(
      `mount('${prefix}') takes a function (request) => Response, or an object with fetch(request)`,
    );
  }
  return async function mountedFetch(ctx) {
    const body: ForwardedBody = { refused: undefined };
    const response = await answerOf(handle, makeRequest(ctx, body), body);
    if (isWebResponse(response)) return response;
    throw new Error(`the handler mounted under '${prefix}' gave no Response; return one for every request`);
  };
}

interface ForwardedBody {
  /** Why the handler could not read it to its end: it is over the limit, late, or the client is gone. */
  refused: FwError | undefined;
}

/** A handler sees a body that breaks off, and may answer that as it likes; the request was refused all the same. */
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
  return ctx.req.forward((error) => {
    body.refused = asFwError(error);
  });
}

/** The target below the prefix, as sent: decoding neither makes nor drops a segment, so they can be counted. */
function withoutPrefix(req: FwRequest): string {
  const mark = req.target.indexOf('?');
  const path = mark === -1 ? req.target : req.target.slice(0, mark);
  const count = req.paramText(REST)?.split('/').length ?? 0;
  const rest = count === 0 ? '' : path.split('/').slice(-count).join('/');
  // URLs take a backslash for a slash, and could then climb over segments that every guard has seen.
  return `/${rest.replaceAll('\\', '%5C')}${mark === -1 ? '' : req.target.slice(mark)}`;
}
