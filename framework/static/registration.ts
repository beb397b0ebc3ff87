// Static files: registration. Checks the directory synchronously, and loads the code that serves files.

import { ConfigError } from '../config-error.js';
import type { Context } from '../context/context.js';
import type { RouteHandler } from '../context/handlers.js';
import type { SinglePage } from '../context/scope.js';
import { FwError } from '../http/errors.js';
import { readWeights } from '../http/field-list.js';
import { addVary } from '../http/headers.js';
import { trimBlanks } from '../http/white-space.js';
import { checkValue } from '../options/check.js';
import { pattern } from '../options/rules.js';
import { kindOf } from '../options/shown.js';
import { checkDirectory, checkFallback } from './check-directory.js';
import type { FileServer } from './file-server.js';
import { type FrontendRequest, frontendAnswer } from './frontend-channel.js';
import { type CacheControl, cacheControlOf, checkStaticOptions, type StaticOptions } from './options.js';

const fileHandlers = new WeakSet<RouteHandler>();

/** Whether a route serves files: it also answers for missing files below its prefix. */
export function servesFiles(handler: RouteHandler): boolean {
  return fileHandlers.has(handler);
}

/** The call as messages show it, whatever its arguments are. */
export function staticCall(prefix: unknown, dir: unknown): string {
  return `serveStatic(${named(prefix)}, ${named(dir)})`;
}

/** The same of `serveSpa`. */
export function spaCall(dir: unknown, fallback: unknown): string {
  return `serveSpa(${named(dir)}, ${named(fallback)})`;
}

function named(path: unknown): string {
  return typeof path === 'string' ? `'${path}'` : kindOf(path);
}

/** @throws ConfigError if the prefix is malformed. */
export function filesPattern(prefix: string): string {
  checkValue('serveStatic', 'the prefix', prefix, pattern);
  if (prefix === '/') return '/*$file';
  if (prefix.startsWith('/') && !prefix.endsWith('/')) return `${prefix}/*$file`;
  throw new ConfigError(
    'FW_MOUNT_PREFIX',
    `malformed prefix '${prefix}' of serveStatic: start it with a slash and omit the trailing slash, as in '/assets'; '/' means all paths`,
  );
}

/** @throws ConfigError if the directory is missing or an option is malformed. */
export function staticFiles(prefix: string, dir: string, options: StaticOptions): RouteHandler {
  const call = staticCall(prefix, dir);
  const checked = checkStaticOptions(call, options);
  const answer = whenLoaded(checkDirectory(call, dir), checked, (server) => (ctx: Context) => {
    const response = server.answer(ctx, ctx.lastParam);
    if (response === undefined) throw FwError.notFound(`no file for ${ctx.target.path}`);
    return response;
  });
  const handler: RouteHandler = function serveStatic(ctx) {
    return answer(ctx) as ReturnType<RouteHandler>;
  };
  fileHandlers.add(handler);
  return handler;
}

/**
 * Under `fw dev` with a frontend, its dev server answers, and the directory, which a build makes, need not exist.
 *
 * @throws ConfigError if the directory or the fallback is missing, or an option is malformed.
 */
export function singlePage(dir: string, fallback: string, options: StaticOptions): SinglePage {
  const call = spaCall(dir, fallback);
  const { cacheControl, ...checked } = checkStaticOptions(call, options);
  const answer = frontendAnswer(dir, fallback);
  if (answer !== undefined) return (ctx) => answer(frontendRequest(ctx));
  const root = checkDirectory(call, dir);
  checkFallback(call, root, fallback);
  // The canonical form of paths.
  const text = fallback.replaceAll('%', '%25');
  const all = { ...checked, cacheControl: revalidating(fallback, cacheControl) };
  return whenLoaded(
    root,
    all,
    (server) => (ctx: Context, path: string, miss: (depends: boolean) => unknown) => {
      const file = server.answer(ctx, path);
      if (file !== undefined) return file;
      if (!acceptsHtml(ctx.req.header('accept'))) return miss(true);
      const page = server.answer(ctx, text);
      if (page === undefined) return miss(false);
      addVary(page.headers, 'Accept');
      return page;
    },
  );
}

function frontendRequest(ctx: Context): FrontendRequest {
  const { req, signal } = ctx;
  const { pathname, search } = req.uri;
  const peer = ctx.peerAddr()?.address;
  return { method: req.method, target: pathname + search, headers: req.headers(), peer, signal };
}

/** The page refers to the files of one build: a browser that cached it would request files of an old build. */
function revalidating(fallback: string, cacheControl: CacheControl | undefined): CacheControl {
  return (path) => {
    const own = cacheControlOf(cacheControl, path);
    const isChosen = typeof cacheControl === 'function' && own !== undefined;
    return path === fallback && !isChosen ? 'no-cache' : own;
  };
}

/** Loads the server of a directory; once it is loaded, answers are synchronous, so a cached file needs no promise. */
function whenLoaded<Args extends unknown[]>(
  root: string,
  options: StaticOptions,
  make: (server: FileServer) => (...args: Args) => unknown,
): (...args: Args) => unknown {
  let ready: ((...args: Args) => unknown) | undefined;
  const loading = import('./file-server.js').then(({ FileServer }) => {
    ready = make(new FileServer(root, options));
    return ready;
  });
  // Every request gets the error; until then it must not end the process as an unhandled rejection.
  loading.catch(() => {});
  // Stryker disable next-line ConditionalExpression: the promise gives the same answers, only later
  return (...args) => (ready === undefined ? loading.then((answer) => answer(...args)) : ready(...args));
}

/** A missing field accepts everything; otherwise the most specific range that matches `text/html` decides. */
export function acceptsHtml(accept: string | undefined): boolean {
  if (accept === undefined || trimBlanks(accept) === '') return true;
  const weights = readWeights(accept);
  return (weights.get('text/html') ?? weights.get('text/*') ?? weights.get('*/*') ?? 0) > 0;
}
