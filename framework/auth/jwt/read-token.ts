// JWT: where tokens of a request come from.
import type { Context } from '../../context/context.js';
import { onlyCookie } from '../../http/cookie.js';

/** In characters. The whole head of a request is limited to 16 KB by Node. */
const LONGEST_TOKEN = 8192;

/** A token; `malformed` if there are credentials of this kind, but no token that could be valid. */
export type PresentedToken = { readonly token: string } | 'malformed' | undefined;

export type ReadToken = (ctx: Context) => PresentedToken;

/** `Authorization: Bearer <token>` (RFC 6750, section 2.1); other schemes are for other methods. */
export function bearerToken(ctx: Context): PresentedToken {
  const field = ctx.req.header('authorization');
  if (field === undefined) return undefined;
  const [scheme = ''] = field.split(' ', 1);
  if (scheme.toLowerCase() !== 'bearer') return undefined;
  // Proxies and servers differ in which of two fields they take (RFC 9110, section 5.3).
  if (ctx.req.isRepeated('authorization')) return 'malformed';
  const token = /^ +([A-Za-z0-9\-._~+/]+=*)$/.exec(field.slice(scheme.length))?.[1];
  return token === undefined ? 'malformed' : bounded(token);
}

/**
 * The value of a cookie; an empty one is none. Of two different values neither is taken: another site of the same domain
 * may have planted one of them.
 */
export function cookieToken(name: string): ReadToken {
  return (ctx) => {
    const value = onlyCookie(ctx.req.header('cookie'), name);
    return value === undefined || value === '' ? undefined : bounded(value);
  };
}

function bounded(token: string): PresentedToken {
  return token.length > LONGEST_TOKEN ? 'malformed' : { token };
}
