// Refresh tokens, by which a client gets new tokens for a month without the password. Each works once and is replaced. If one
// is used again later, somebody has copied it: then the whole sign-in ends (RFC 9700, section 4.14.2).
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { App, Context, describeRoute, FwError, Path, requireScope, Valid } from 'fw';
import type { Jwt } from 'fw/jwt';
import { z } from 'zod';
import type { Db } from '../database/database.ts';
import { logAccountEvent } from './account-events.ts';
import { accountScope, currentUser, tokenFor } from './auth.ts';

const LIFETIME_MS = 30 * 86_400_000;
/** Two requests of one client may use the same one at once, such as of two windows: the later one is only refused. */
const RACE_MS = 10_000;

const RefreshToken = z.object({ refreshToken: z.string().max(100) });
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

/** The tokens of a sign-in. No cache may keep them (RFC 6749, section 5.1). */
export async function tokensFor(
  ctx: Context,
  jwt: Jwt,
  userId: string,
  signInId: string = randomUUID(),
): Promise<z.input<typeof Tokens>> {
  const refreshToken = randomBytes(32).toString('base64url');
  const now = Date.now();
  await ctx.db().deleteFrom('refreshTokens').where('expiresAtMs', '<=', now).execute();
  const client = (ctx.req.header('user-agent') ?? 'unknown').slice(0, 100);
  // Only the digest is stored: whoever reads the table cannot use the tokens.
  const row = { digest: digestOf(refreshToken), signInId, userId, client, createdAtMs: now };
  await ctx
    .db()
    .insertInto('refreshTokens')
    .values({ ...row, usedAtMs: null, expiresAtMs: now + LIFETIME_MS })
    .execute();
  ctx.header('Cache-Control', 'no-store');
  return { ...tokenFor(jwt, userId), refreshToken };
}

/** Ends all sign-ins of a user. Tokens that they have got work until they expire. */
export async function endSignIns(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('refreshTokens').where('userId', '=', userId).execute();
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
    Valid(RefreshToken),
    Context,
    async ({ refreshToken }, ctx) => {
      const { signInId, userId } = await used(ctx, refreshToken);
      return tokensFor(ctx, jwt, userId, signInId);
    },
  );

  app.delete(
    describeRoute('/', { returns: { 204: null }, summary: 'Sign out' }),
    Valid(RefreshToken),
    Context,
    async ({ refreshToken }, ctx) => {
      const found = await find(ctx.db(), refreshToken);
      if (found === undefined) return;
      await ctx.db().deleteFrom('refreshTokens').where('signInId', '=', found.signInId).execute();
      logAccountEvent(ctx, 'sign-out', { userId: found.userId });
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
      const rows = await ctx
        .db()
        .selectFrom('refreshTokens')
        .select(['signInId', 'client', 'createdAtMs'])
        .where('userId', '=', user.id)
        .where('usedAtMs', 'is', null)
        .where('expiresAtMs', '>', Date.now())
        .orderBy('createdAtMs', 'desc')
        .execute();
      const items = rows.map(({ signInId: id, client, createdAtMs }) => {
        return { id, client, usedAt: new Date(createdAtMs).toISOString() };
      });
      return { items };
    },
  );

  app.delete(
    describeRoute('/', { returns: { 204: null }, use, summary: 'Sign out everywhere' }),
    async (ctx, { user }) => {
      await endSignIns(ctx.db(), user.id);
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
      const { numDeletedRows } = await ctx
        .db()
        .deleteFrom('refreshTokens')
        .where('signInId', '=', id)
        .where('userId', '=', user.id)
        .executeTakeFirst();
      if (numDeletedRows === 0n) throw FwError.notFound(`there is no sign-in ${id}`);
      logAccountEvent(ctx, 'sign-out', { userId: user.id });
    },
  );
  return app;
}

/** @throws FwError 401 if it does not work */
async function used(ctx: Context, refreshToken: string): Promise<{ signInId: string; userId: string }> {
  const db = ctx.db();
  const refused = FwError.unauthorized('the refresh token does not work; sign in');
  const found = await find(db, refreshToken);
  const now = Date.now();
  if (found === undefined || found.expiresAtMs <= now) throw refused;
  const { signInId, userId } = found;
  const { numUpdatedRows } = await db
    .updateTable('refreshTokens')
    .set({ usedAtMs: now })
    .where('digest', '=', digestOf(refreshToken))
    .where('usedAtMs', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows === 1n) return { signInId, userId };
  if (found.usedAtMs !== null && now - found.usedAtMs > RACE_MS) {
    await db.deleteFrom('refreshTokens').where('signInId', '=', signInId).execute();
    logAccountEvent(ctx, 'sign-out', { userId, failure: 'a refresh token was used twice' });
  }
  throw refused;
}

function find(db: Db, refreshToken: string) {
  const tokens = db.selectFrom('refreshTokens').selectAll();
  return tokens.where('digest', '=', digestOf(refreshToken)).executeTakeFirst();
}

function digestOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
