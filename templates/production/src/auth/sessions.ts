// Sessions: how browsers sign in. A cookie, which scripts cannot read, names a session that is kept on the server, so a
// sign-out is final.
import { App, Context, describeRoute, FwError, type Middleware, Valid } from 'fw';
import { csrf } from 'fw/csrf';
import { type SessionMiddleware, type SessionStore, session } from 'fw/session';
import { z } from 'zod';
import type { Env } from '../env.ts';
import { logAccountEvent } from './account-events.ts';
import { accountScope, userScopes } from './auth.ts';
import { type CheckPassword, Credentials, signInErrors } from './passwords.ts';

/** Lets the people in ADMINS pass, but none of their API keys. No session keeps that right: each request is checked. */
export function adminsOnly(admins: readonly string[]): Middleware {
  return function adminsOnly(ctx, next) {
    const { id = '' } = ctx.requireScope(accountScope);
    if (!admins.includes(id)) throw FwError.forbidden('this is for the people in ADMINS');
    return next();
  };
}

/** The cookie is `__Host-sid` over HTTPS; over HTTP, for development, it is `sid`. */
export function sessions(store: SessionStore, { PUBLIC_URL }: Pick<Env, 'PUBLIC_URL'>): SessionMiddleware {
  return session(store, {
    secure: PUBLIC_URL.protocol === 'https:',
    idleMs: 12 * 3_600_000,
    absoluteMs: 7 * 86_400_000,
  });
}

/**
 * Refuses requests that another site made a browser send. Tokens and keys in header fields need no protection, unless
 * somebody is signed in by a session as well, who would be taken for the caller.
 */
export function forgeryProtection({
  CSRF_SECRET,
  PUBLIC_URL,
}: Pick<Env, 'CSRF_SECRET' | 'PUBLIC_URL'>): Middleware {
  return csrf({
    secret: CSRF_SECRET,
    secure: PUBLIC_URL.protocol === 'https:',
    allowedOrigins: [PUBLIC_URL.origin],
    // Browsers add neither field by themselves, unlike Authorization with Basic or Negotiate. The routes
    // named here set no cookie of a session.
    except: (ctx) =>
      ctx.session().userId === undefined &&
      (/^Bearer /i.test(ctx.req.header('authorization') ?? '') ||
        ctx.req.header('x-api-key') !== undefined ||
        ['/sign-in', '/sign-up', '/password-reset'].includes(ctx.req.path)),
  });
}

export function browserSessions(checkPassword: CheckPassword): App {
  const app = App.withoutDefaults();
  const tags = ['sessions'];

  app.post(
    describeRoute('/', { returns: { 204: null }, errors: signInErrors, tags, summary: 'Sign in a browser' }),
    Valid(Credentials),
    Context,
    async (credentials, ctx) => {
      const { id } = await checkPassword(ctx, credentials);
      ctx.session().signIn(id, { scopes: userScopes, label: labelOf(ctx) });
      logAccountEvent(ctx, 'sign-in', { userId: id });
    },
  );

  app.delete(
    describeRoute('/', { returns: { 204: null }, tags, summary: 'Sign out this browser' }),
    (ctx) => {
      signsOut(ctx);
      ctx.session().clear();
    },
  );

  app.delete(
    describeRoute('/others', {
      returns: z.object({ ended: z.int() }),
      tags,
      summary: 'Sign out all other browsers',
    }),
    async (ctx) => {
      const others = (await ctx.session().list()).filter(({ isCurrent }) => !isCurrent);
      await ctx.session().endOthers();
      return { ended: others.length };
    },
  );
  return app;
}

/**
 * What a sign-out means for the browser: it forgets what this origin has stored. "cookies" is left out, because it would
 * sign people out of the other apps of the domain, too.
 */
export function signsOut(ctx: Context): void {
  ctx.header('Clear-Site-Data', '"cache", "storage"');
  logAccountEvent(ctx, 'sign-out', { userId: ctx.session().userId });
}

/** After a change of the password: ends all other sessions of the user, and gives this one a new id. */
export async function endOtherSessions(store: SessionStore, ctx: Context, userId: string): Promise<void> {
  const current = ctx.session();
  if (current.userId !== userId || current.id === undefined) {
    await store.endAll(userId);
    return;
  }
  await store.endAll(userId, { except: current.id });
  current.regenerate();
}

/** What a list of sessions shows. */
function labelOf(ctx: Context): string {
  return (ctx.req.header('user-agent') ?? 'unknown').slice(0, 100);
}
