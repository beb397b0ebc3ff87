// Static files: registration. Checks the directory at once, and loads the code that serves from it meanwhile.
import type { Context } from '../context.js';
import { FwError } from '../errors.js';
import { addVary } from '../headers.js';
import type { RouteHandler } from '../routes.js';
import { acceptsHtml } from './accepts-html.js';
import { checkDirectory, checkFallback } from './check-directory.js';
import type { FileServer } from './file-server.js';
import { type CacheControl, checkOptions, type StaticOptions } from './options.js';

/**
 * Answers in place of a 404 for a path inside the App; `miss` is that 404, and `depends` tells it that another
 * `Accept` field would have had another answer.
 */
export type SinglePage = (ctx: Context, path: string, miss: (depends: boolean) => unknown) => unknown;

const fileHandlers = new WeakSet<RouteHandler>();

/** Whether a route serves files: every miss below its prefix is its own. */
export function servesFiles(handler: RouteHandler): boolean {
  return fileHandlers.has(handler);
}

/** @throws Error when the prefix is malformed. */
export function filesPattern(prefix: string): string {
  if (prefix === '/') return '/*$file';
  if (prefix.startsWith('/') && !prefix.endsWith('/')) return `${prefix}/*$file`;
  throw new Error(
    `malformed prefix '${prefix}' of serveStatic: start it with a slash and end it without, as in '/assets'; '/' alone is all paths`,
  );
}

/** @throws Error when the directory is missing or an option is malformed. */
export function staticFiles(prefix: string, dir: string, options: StaticOptions): RouteHandler {
  const call = `serveStatic('${prefix}', '${dir}')`;
  const checked = checkOptions(call, options);
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

/** @throws Error when the directory or the fallback is missing, or an option is malformed. */
export function singlePage(dir: string, fallback: string, options: StaticOptions): SinglePage {
  const call = `serveSpa('${dir}', '${fallback}')`;
  const { cacheControl, ...checked } = checkOptions(call, options);
  const root = checkDirectory(call, dir);
  checkFallback(call, root, fallback);
  // The form that paths have.
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

/** The page names the files of one build: a browser that kept it would ask for files of the last one. */
function revalidating(fallback: string, cacheControl: CacheControl | undefined): CacheControl {
  return (path) => {
    const own = typeof cacheControl === 'function' ? cacheControl(path) : undefined;
    if (path === fallback) return own ?? 'no-cache';
    return typeof cacheControl === 'string' ? cacheControl : own;
  };
}

/** Loads the server of a directory; synchronous from then on, so that a cached file costs no promise. */
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
  // Every request gets the failure; until one comes it must not end the process.
  loading.catch(() => {});
  return (...args) => (ready === undefined ? loading.then((answer) => answer(...args)) : ready(...args));
}
