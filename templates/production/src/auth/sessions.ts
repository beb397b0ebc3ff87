// Sessions: how browsers sign in. A cookie, which scripts cannot read, names a session that is kept on the server, so a
// sign-out is final.
import { App, Context, type Middleware, route, Valid } from 'fw';
import { csrf } from 'fw/csrf';
import { type SessionMiddleware, type SessionStore, session } from 'fw/session';
import { z } from 'zod';
import type { Env } from '../env.ts';
import { type CheckPassword, Credentials, signInErrors } from './accounts.ts';
import { userScopes } from './auth.ts';

/** What only the people in ADMINS may see, such as the documentation of the API. */
export const adminScope = 'admin';

/** The scopes of a session, which are fixed when it begins: who is added to ADMINS signs in again. */
export function sessionScopes(userId: string, admins: readonly string[]): readonly string[] {
  return admins.includes(userId) ? [...userScopes, adminScope] : userScopes;
}

/** The cookie is `__Host-sid` over HTTPS; over HTTP, for development, it is `sid`. */
export function sessions(store: SessionStore, { PUBLIC_URL }: Pick<Env, 'PUBLIC_URL'>): SessionMiddleware {
  return session(store, {
    secure: PUBLIC_URL.protocol === 'https:',
    idleMs: 12 * 3_600_000,
    absoluteMs: 7 * 86_400_000,
  });
}

/** Refuses requests that another site made a browser send. Tokens and keys in header fields need no protection. */
export function forgeryProtection({
  CSRF_SECRET,
  PUBLIC_URL,
}: Pick<Env, 'CSRF_SECRET' | 'PUBLIC_URL'>): Middleware {
  return csrf({
    secret: CSRF_SECRET,
    secure: PUBLIC_URL.protocol === 'https:',
    origins: [PUBLIC_URL.origin],
    // Browsers add neither field by themselves, and the two routes answer with a token instead of a cookie.
    except: (ctx) =>
      ctx.req.header('authorization') !== undefined ||
      ctx.req.header('x-api-key') !== undefined ||
      ['/sign-in', '/sign-up'].includes(ctx.req.path),
  });
}

export function browserSessions(checkPassword: CheckPassword, admins: readonly string[]): App {
  const app = new App();
  const tags = ['sessions'];

  app.post(
    route('/', { returns: { 204: null }, errors: signInErrors, tags, summary: 'Sign in a browser' }),
    Valid(Credentials),
    Context,
    async (credentials, ctx) => {
      const { id } = await checkPassword(ctx, credentials);
      ctx.session().signIn(id, { scopes: [...sessionScopes(id, admins)], label: labelOf(ctx) });
    },
  );

  app.delete(route('/', { returns: { 204: null }, tags, summary: 'Sign out this browser' }), (ctx) => {
    ctx.session().clear();
  });

  app.delete(
    route('/others', { returns: z.object({ ended: z.int() }), tags, summary: 'Sign out all other browsers' }),
    async (ctx) => {
      const others = (await ctx.session().list()).filter(({ isCurrent }) => !isCurrent);
      await ctx.session().endOthers();
      return { ended: others.length };
    },
  );
  return app;
}

/** What a list of sessions shows. */
function labelOf(ctx: Context): string {
  return (ctx.req.header('user-agent') ?? 'unknown').slice(0, 100);
}
