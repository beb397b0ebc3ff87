// Redirects: paths of this server, from what a client sends.

/** In characters. */
const LONGEST = 1000;

/**
 * The path if it is one of this server, such as the value of `?return_to=`; undefined for everything else. Redirect to
 * nothing that a client sends without it: browsers take `//host` and `/\\host` for other servers, and leave out tabs and
 * line ends (WHATWG URL, section 4.4).
 *
 * ```ts
 * app.get('/back', (ctx) => ctx.redirect(localPath(ctx.req.query('return_to')) ?? '/'));
 * ```
 */
export function localPath(path: unknown): string | undefined {
  if (typeof path !== 'string' || path.length > LONGEST) return undefined;
  return /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(path) ? path : undefined;
}
