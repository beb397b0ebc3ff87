// Sign-in with an identity provider (OpenID Connect), beside passwords: with OIDC_ISSUER set, /auth/sign-in leads there.
import { createHash, randomUUID } from 'node:crypto';
import { App, FwError } from 'fw';
import { isUniqueViolation } from 'fw/kysely';
import { oidcSignIn } from 'fw/oidc';
import { hashPassword } from 'fw/password';
import type { Db } from '../database/database.ts';
import type { Env } from '../env.ts';
import { Line } from '../text.ts';
import { logAccountEvent } from './account-events.ts';
import { userScopes } from './auth.ts';
import { signsOut } from './sessions.ts';

/** The routes below /auth that are open to everybody. */
export const openOidcRoutes: readonly string[] = ['/auth/sign-in', '/auth/callback'];

/** Undefined without OIDC_ISSUER. The provider must know `{PUBLIC_URL}/auth/callback`. */
export async function oidcRoutes(env: Env): Promise<App | undefined> {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId = '', OIDC_CLIENT_SECRET: clientSecret } = env;
  if (issuer === undefined) return undefined;
  const { signIn, callback, signOut } = await oidcSignIn({
    issuer,
    clientId,
    clientSecret,
    redirectUri: new URL('/auth/callback', env.PUBLIC_URL).href,
    scope: 'openid email',
    async onSignIn({ claims }, ctx) {
      const userId = await accountOf(ctx.db(), { ...claims, iss: issuer });
      logAccountEvent(ctx, 'sign-in', { userId });
      return { userId, scopes: userScopes };
    },
  });
  return App.withoutDefaults()
    .get('/sign-in', signIn)
    .get('/callback', callback)
    .post('/sign-out', (ctx) => {
      signsOut(ctx);
      return signOut(ctx);
    });
}

/**
 * The account of a person of the provider, made at the first sign-in. It is found by issuer and subject, which never
 * change, and not by e-mail address: whoever signs up with the address of somebody else must not share their account.
 * @throws FwError 403 without a verified address, 409 if an account with a password has it
 */
export async function accountOf(
  db: Db,
  {
    iss,
    sub,
    email,
    email_verified,
  }: { iss: string; sub: string; email?: unknown; email_verified?: unknown },
): Promise<string> {
  const id = uuidOf(`${iss} ${sub}`);
  const known = await db.selectFrom('users').select('id').where('id', '=', id).executeTakeFirst();
  if (known !== undefined) return id;
  const address = Line.min(3).max(254).toLowerCase().safeParse(email);
  if (!address.success || email_verified !== true) {
    throw FwError.forbidden('the identity provider has not verified your e-mail address');
  }
  // A password that nobody knows.
  const passwordHash = await hashPassword(randomUUID());
  const user = { id, email: address.data, passwordHash, createdAt: new Date().toISOString() };
  try {
    await db
      .insertInto('users')
      .values(user)
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute();
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw FwError.conflict('there is an account with this e-mail address; sign in with its password', {
      cause: error,
    });
  }
  return id;
}

/** Whether the account is one of a provider: only the provider decides who signs in to it, so it gets no password. */
export function isOfProvider(userId: string): boolean {
  return userId[14] === '8';
}

/** A UUID of version 8 (RFC 9562), which is the same for the same text. */
function uuidOf(text: string): string {
  const bytes = createHash('sha256').update(text).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
