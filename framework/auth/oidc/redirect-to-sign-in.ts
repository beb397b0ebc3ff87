// OIDC: sends the navigation of a person who is not signed in to the sign-in, and back.

import { ConfigError } from '../../config-error.js';
import type { Context } from '../../context/context.js';
import type { Middleware } from '../../context/handlers.js';
import { asFwError } from '../../http/errors.js';
import { localPath } from '../../http/local-path.js';
import { shown } from '../../options/shown.js';

/**
 * @param path the route that begins a sign-in
 * @param callback the route that ends one, whose own refusals are for the person to see
 * @throws ConfigError if it is not a path
 */
export function redirectToSignIn(path: string, callback: string): Middleware {
  if (localPath(path) === undefined || /[?#]/.test(path)) {
    throw new ConfigError(
      'FW_OPTION_FORM',
      `redirectToSignIn() takes the path of the sign-in, such as '/auth/sign-in'; got ${shown(path)}`,
    );
  }
  return async function redirectToSignIn(ctx, next) {
    try {
      return await next();
    } catch (error) {
      const isOwn = ctx.req.path === path || ctx.req.path === callback;
      const isRefused = asFwError(error)?.status === 401 && ctx.principal() === undefined;
      if (!isRefused || isOwn || !isNavigation(ctx)) throw error;
      const target = localPath(ctx.req.target);
      const query = target === undefined ? '' : `?return_to=${encodeURIComponent(target)}`;
      const response = ctx.redirect(path + query, 303);
      response.headers.set('Cache-Control', 'no-store');
      return response;
    }
  };
}

/** A person opens a page: says the browser (Fetch Metadata), or, of an old one, that it prefers HTML. */
function isNavigation({ req }: Context): boolean {
  if (req.method !== 'GET' && req.method !== 'HEAD') return false;
  const mode = req.header('sec-fetch-mode');
  if (mode !== undefined) return mode === 'navigate';
  return /(?:^|,)[ \t]*text\/html[ \t]*(?:[;,]|$)/i.test(req.header('accept') ?? '');
}
