// Interop: uses a web-standard fetch handler as the handler of routes under a prefix.

import { ConfigError } from '../config-error.js';
import type { RouteHandler } from '../context/handlers.js';
import type { FwRequest } from '../context/request.js';
import { type ForwardedBody, toWebRequest } from '../context/web-request.js';
import { isWebResponse } from '../dispatch/to-response.js';
import { checkOptions } from '../options/check.js';
import { flag, type Rules } from '../options/rules.js';
import { parsePattern } from '../router/pattern.js';

/**
 * A fetch handler, as fetch runtimes and other frameworks have it: takes a web Request, returns a web Response. It also
 * gets `env` and `ctx` of `ctx.platform`.
 */
export type FetchHandler = (request: Request) => Response | Promise<Response>;

/** The name must differ from the parameters of the prefix. */
const REST = '$rest_of_mount';

/** The patterns of the prefix itself and of everything below it. @throws ConfigError if the prefix is malformed. */
export function mountPatterns(prefix: string): string[] {
  if (prefix === '' || prefix === '/') {
    throw new ConfigError(
      'FW_MOUNT_PREFIX',
      `a fetch handler is mounted under a prefix such as '/legacy', not at '${prefix}'`,
    );
  }
  if (prefix.endsWith('/')) {
    throw new ConfigError(
      'FW_MOUNT_PREFIX',
      `malformed mount prefix '${prefix}': write it without the trailing slash`,
    );
  }
  const { parts } = parsePattern(prefix);
  if (parts.at(-1)?.kind === 'rest') {
    throw new ConfigError(
      'FW_MOUNT_PREFIX',
      `malformed mount prefix '${prefix}': everything below it is mounted, so leave out its last segment`,
    );
  }
  return [prefix, `${prefix}/`, `${prefix}/*${REST}`];
}

/** How a fetch handler is mounted. */
export interface MountOptions {
  /** Whether the handler gets the URL with the prefix; false by default. */
  readonly keepPrefix?: boolean;
}

const RULES: Rules<MountOptions> = { keepPrefix: flag };

/**
 * Makes a route handler that calls the fetch handler with the request.
 *
 * @throws ConfigError if it is neither a function nor an object with one named `fetch`, or an option is wrong.
 */
export function fetchHandler(
  prefix: string,
  target: FetchHandler | { fetch: FetchHandler },
  options: MountOptions = {},
): RouteHandler {
  const handle = typeof target === 'function' ? target : target?.fetch?.bind(target);
  if (typeof handle !== 'function') {
    throw new ConfigError(
      'FW_MOUNT_HANDLER',
      `mount('${prefix}') takes a function (request) => Response, or an object with fetch(request)`,
    );
  }
  const { keepPrefix = false } = checkOptions(`mount('${prefix}')`, options, RULES);
  return async function mountedFetch(ctx) {
    const body: ForwardedBody = { refused: undefined };
    const path = keepPrefix ? ctx.req.target : withoutPrefix(ctx.req);
    // URL treats a backslash as a slash, and `\\..` could then remove segments that middleware has checked.
    const request = toWebRequest(ctx.req, path.replaceAll('\\', '%5C'), ctx.signal, body);
    const response = await answerOf(handle, request, body, ctx.platform as Passed | undefined);
    if (isWebResponse(response)) return response;
    throw new Error(
      `the handler mounted under '${prefix}' returned no Response; return one for every request`,
    );
  };
}

/** What a platform passes with a Request, such as the bindings of a Worker. */
interface Passed {
  readonly env?: unknown;
  readonly ctx?: unknown;
}

type PlatformHandler = (request: Request, env: unknown, ctx: unknown) => Response | Promise<Response>;

/** With one argument where the platform has passed nothing: some handlers count them. */
function call(handle: FetchHandler, request: Request, passed: Passed | undefined): ReturnType<FetchHandler> {
  const { env, ctx } = passed ?? {};
  if (env === undefined && ctx === undefined) return handle(request);
  return (handle as PlatformHandler)(request, env, ctx);
}

/** If the body was refused, that is the answer, however the handler answers the error of reading it. */
async function answerOf(
  handle: FetchHandler,
  request: Request,
  body: ForwardedBody,
  platform: Passed | undefined,
): Promise<unknown> {
  let response: Response | undefined;
  try {
    response = await call(handle, request, platform);
  } catch (error) {
    throw body.refused ?? error;
  }
  if (body.refused === undefined) return response;
  response?.body?.cancel().then(undefined, () => {});
  throw body.refused;
}

/** The target below the prefix, as sent. Decoding does not change the number of segments, so they can be counted. */
function withoutPrefix(req: FwRequest): string {
  const mark = req.target.indexOf('?');
  const path = mark === -1 ? req.target : req.target.slice(0, mark);
  const count = req.paramText(REST)?.split('/').length ?? 0;
  const rest = count === 0 ? '' : path.split('/').slice(-count).join('/');
  return `/${rest}${mark === -1 ? '' : req.target.slice(mark)}`;
}
