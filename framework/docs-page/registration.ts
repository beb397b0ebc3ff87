// The documentation page: its routes, whose code is loaded when they are registered.
import type { RouteHandler } from '../context/handlers.js';
import type { DocsSource } from './serve-docs.js';

/** The patterns below `path` with their handlers; `loaded` rejects if the document is not one. */
export function docsPageRoutes(
  path: string,
  spec: DocsSource,
): { readonly loaded: Promise<unknown>; readonly routes: readonly (readonly [string, RouteHandler])[] } {
  const loaded = import('./serve-docs.js').then(({ docsRoutes }) => docsRoutes(spec));
  const below = path === '/' ? '' : path;
  return {
    loaded,
    routes: [
      [path, async (ctx) => (await loaded).page(ctx)],
      [`${below}/openapi.json`, async (ctx) => (await loaded).specification(ctx)],
      [`${below}/rapidoc.js`, async (ctx) => (await loaded).reader(ctx)],
    ],
  };
}
