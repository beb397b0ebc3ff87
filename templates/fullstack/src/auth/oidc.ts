// Sign-in with an identity provider (OpenID Connect), beside passwords: with OIDC_ISSUER set, /auth/sign-in leads there.
import { createHash } from 'node:crypto';
import { type App, type Context, FwError, type FwResponse, type Middleware } from 'fw';
import { logAccountEvent } from 'fw/accounts';
import { isUniqueViolation } from 'fw/kysely';
import { type OidcSignIn, oidcSignIn } from 'fw/oidc';
import type { Db } from '../database/database.ts';
import type { Env } from '../env.ts';
import { Line } from '../text.ts';
import { browserOf } from './browser.ts';

export type ProviderSettings = Pick<
  Env,
  `OIDC_${'ISSUER' | 'CLIENT_ID' | 'CLIENT_SECRET' | 'NAME'}` | 'PUBLIC_URL'
>;

/** Tells procedures what the provider is called, if there is one. */
export function namesProvider({ OIDC_ISSUER, OIDC_NAME }: ProviderSettings): Middleware {
  return function namesProvider(ctx, next) {
    if (OIDC_ISSUER !== undefined) ctx.set('provider', OIDC_NAME);
    return next();
  };
}

/** Adds nothing without OIDC_ISSUER. The provider must know `{PUBLIC_URL}/auth/callback`, and `/sign-in` for sign-outs. */
export function oidcRoutes(app: App, settings: ProviderSettings): App {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId = '', OIDC_CLIENT_SECRET: clientSecret } = settings;
  if (issuer === undefined) return app;
  let made: Promise<OidcSignIn> | undefined;
  const flow = () => {
    made ??= oidcSignIn({
      issuer,
      clientId,
      clientSecret,
      redirectUri: new URL('/auth/callback', settings.PUBLIC_URL).href,
      postLogoutRedirectUri: new URL('/sign-in', settings.PUBLIC_URL).href,
      scope: 'openid email',
      async onSignIn({ claims }, ctx) {
        const userId = await providerAccount(ctx.db(), { ...claims, iss: issuer });
        logAccountEvent(ctx, 'sign-in', { userId });
        return { userId, label: browserOf(ctx.req.header('user-agent')) };
      },
    });
    return made;
  };
  return app
    .onStart(flow)
    .get('/sign-in', async (ctx) => onPage(ctx, (await flow()).signIn))
    .get('/callback', async (ctx) => onPage(ctx, (await flow()).callback))
    .get('/signed-out', async (ctx) =>
      // Comes after `accounts.signOut`. It ends nothing here: a link from anywhere may lead to it.
      ctx.principal() === undefined ? onPage(ctx, (await flow()).signOut) : ctx.redirect('/', 303),
    );
}

/** A person has come here and no program: what goes wrong is told on a page of the app. */
async function onPage(ctx: Context, handle: (ctx: Context) => Promise<FwResponse>): Promise<FwResponse> {
  try {
    return await handle(ctx);
  } catch (error) {
    if (!(error instanceof FwError)) throw error;
    logAccountEvent(ctx, 'sign-in', { failure: error.message });
    if (error.status >= 500) ctx.log.error({ err: error }, 'the sign-in with the provider does not work');
    return ctx.redirect(`/sign-in/failed?status=${error.status}`, 303);
  }
}

/** What the provider says of a person. */
interface Claims {
  iss: string;
  sub: string;
  email?: unknown;
  email_verified?: unknown;
}

/**
 * The account of a person of the provider, made at the first sign-in. It is found by issuer and subject, which never
 * change, and not by e-mail address: whoever signs up with the address of somebody else must not share their account.
 * @throws FwError 403 without a verified address, 409 if an account with a password has it
 */
export async function providerAccount(db: Db, { iss, sub, email, email_verified }: Claims): Promise<string> {
  const id = uuidOf(`${iss} ${sub}`);
  const known = await db.selectFrom('users').select('id').where('id', '=', id).executeTakeFirst();
  if (known !== undefined) return id;
  const address = Line.min(3).max(254).toLowerCase().safeParse(email);
  if (!address.success || email_verified !== true) {
    throw FwError.forbidden('the identity provider has not verified the e-mail address');
  }
  const now = new Date().toISOString();
  const user = { id, email: address.data, emailConfirmedAt: now, passwordHash: null, createdAt: now };
  try {
    await db
      .insertInto('users')
      .values(user)
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute();
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw FwError.conflict('there is an account with this e-mail address', { cause: error });
  }
  return id;
}

/** A UUID of version 8 (RFC 9562), which is the same for the same text. */
function uuidOf(text: string): string {
  const bytes = createHash('sha256').update(text).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
