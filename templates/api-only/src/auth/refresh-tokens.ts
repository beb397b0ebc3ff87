// Refresh tokens, by which a client gets new tokens for a month without the password. Each works once and is replaced.
import { App, Context, describeRoute, FwError, Path, requireScope, Valid } from 'fw';
import { logAccountEvent, type RefreshToken, RefreshTokens } from 'fw/accounts';
import type { Jwt } from 'fw/jwt';
import { SqlTokenStore } from 'fw/kysely';
import { z } from 'zod';
import type { Db } from '../database/database.ts';
import { accountScope, currentUser, tokenFor } from './auth.ts';

const RefreshTokenInput = z.object({ refreshToken: z.string().max(100) });
export const Tokens = z
  .object({
    token: z.string().meta({ description: 'Send it as Authorization: Bearer …' }),
    expiresInSeconds: z.number(),
    refreshToken: z.string().meta({ description: 'Gets the next tokens, once.' }),
  })
  .meta({ id: 'Tokens' });
const SignIn = z
  .object({
    id: z.uuid(),
    client: z.string().meta({ description: 'The header User-Agent of the client.' }),
    usedAt: z.iso.datetime(),
  })
  .meta({ id: 'SignIn' });

export function refreshTokens(db: Db): RefreshTokens {
  return new RefreshTokens({ store: new SqlTokenStore(db) });
}

/** The tokens of a new sign-in. */
export async function tokensFor(ctx: Context, jwt: Jwt, userId: string): Promise<z.input<typeof Tokens>> {
  const label = (ctx.req.header('user-agent') ?? 'unknown').slice(0, 100);
  return shown(ctx, jwt, await refreshTokens(ctx.db()).issue(userId, { label }));
}

/** No cache may keep them (RFC 6749, section 5.1). */
function shown(ctx: Context, jwt: Jwt, { userId, refreshToken }: RefreshToken): z.input<typeof Tokens> {
  ctx.header('Cache-Control', 'no-store');
  return { ...tokenFor(jwt, userId), refreshToken };
}

/** `/token`: the next tokens, and the end of a sign-in. */
export function refreshing(jwt: Jwt): App {
  const app = App.withoutDefaults();

  app.post(
    describeRoute('/', {
      returns: Tokens,
      errors: { 401: 'The refresh token does not work: sign in.' },
      summary: 'Get new tokens by a refresh token',
    }),
    Valid(RefreshTokenInput),
    Context,
    async ({ refreshToken }, ctx) => shown(ctx, jwt, await refreshTokens(ctx.db()).rotate(refreshToken)),
  );

  app.delete(
    describeRoute('/', { returns: { 204: null }, summary: 'Sign out' }),
    Valid(RefreshTokenInput),
    Context,
    async ({ refreshToken }, ctx) => {
      const ended = await refreshTokens(ctx.db()).revoke(refreshToken);
      if (ended !== undefined) logAccountEvent(ctx, 'sign-out', { userId: ended.userId });
    },
  );
  return app;
}

/** `/sign-ins`: where a user is signed in. */
export function signIns(): App {
  const app = App.withoutDefaults();
  const use = [requireScope(accountScope), currentUser] as const;

  app.get(
    describeRoute('/', {
      returns: z.object({ items: z.array(SignIn) }),
      use,
      summary: 'Where I am signed in',
    }),
    async (ctx, { user }) => {
      const all = await refreshTokens(ctx.db()).list(user.id);
      const items = all.map(({ id, label: client, usedAtMs }) => {
        return { id, client, usedAt: new Date(usedAtMs).toISOString() };
      });
      return { items };
    },
  );

  app.delete(
    describeRoute('/', { returns: { 204: null }, use, summary: 'Sign out everywhere' }),
    async (ctx, { user }) => {
      await refreshTokens(ctx.db()).endAll(user.id);
      logAccountEvent(ctx, 'sign-out', { userId: user.id });
    },
  );

  app.delete(
    describeRoute('/:id', {
      returns: { 204: null },
      errors: { 404: 'There is no such sign-in.' },
      use,
      summary: 'End a sign-in',
    }),
    Path('id', z.uuid()),
    async (id, { ctx, user }) => {
      const isEnded = await refreshTokens(ctx.db()).end(user.id, id);
      if (!isEnded) throw FwError.notFound(`there is no sign-in ${id}`);
      logAccountEvent(ctx, 'sign-out', { userId: user.id });
    },
  );
  return app;
}
