// Accounts: sign-up, sign-in, and who I am.
import { randomUUID } from 'node:crypto';
import { App, Context, FwError, requireScope, route, Valid } from 'fw';
import type { Jwt } from 'fw/jwt';
import { isUniqueViolation } from 'fw/kysely';
import { MemoryRateLimitStore, type RateLimitStore, rateLimiter } from 'fw/middleware';
import { hashPassword, needsRehash, signInLimit, verifyPassword } from 'fw/password';
import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { Database } from '../database/database.ts';
import { accountScope, currentUser, tokenFor } from './auth.ts';

const Email = z.email().max(254).toLowerCase();
const SignUp = z.object({ email: Email, password: z.string().min(12).max(1024) });
export const Credentials = z.object({ email: Email, password: z.string().min(1).max(1024) });

const Token = z
  .object({
    token: z.string().meta({ description: 'Send it as Authorization: Bearer …' }),
    expiresInSeconds: z.number(),
  })
  .meta({ id: 'Token' });
const User = z.object({ id: z.uuid(), email: z.string(), createdAt: z.iso.datetime() }).meta({ id: 'User' });

/**
 * Ten accounts per hour and client address: hashing a password is expensive.
 * @param store counts in this process by default; several processes share a store of fw/redis
 */
export function signUp(jwt: Jwt, store: RateLimitStore = new MemoryRateLimitStore()): App {
  return new App().use(rateLimiter({ max: 10, windowSeconds: 3600, name: 'sign-up', store })).post(
    route('/', {
      returns: { 201: Token },
      errors: { 409: 'There is an account with this e-mail address.' },
      summary: 'Sign up',
    }),
    Valid(SignUp),
    Context,
    async ({ email, password }, ctx) => {
      const passwordHash = await hashPassword(password);
      const user = { id: randomUUID(), email, passwordHash, createdAt: new Date().toISOString() };
      try {
        await ctx.db().insertInto('users').values(user).execute();
      } catch (error) {
        if (!isUniqueViolation(error)) throw error;
        throw FwError.conflict('there is an account with this e-mail address', { cause: error });
      }
      return tokenFor(jwt, user.id);
    },
  );
}

export type CheckPassword = (
  ctx: Context,
  credentials: z.output<typeof Credentials>,
) => Promise<Selectable<Database['users']>>;

/**
 * Checks an e-mail address and a password; 401 if they are wrong, 429 after too many attempts on the account or by the
 * client. Make it once: all ways to sign in count together.
 */
export function passwordCheck(store: RateLimitStore = new MemoryRateLimitStore()): CheckPassword {
  const limit = signInLimit({ store });
  return async function checkPassword(ctx, { email, password }) {
    await limit(ctx, email);
    const db = ctx.db();
    const user = await db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst();
    // Takes as long for an account that does not exist.
    if (!(await verifyPassword(password, user?.passwordHash)) || user === undefined) {
      throw FwError.unauthorized('wrong e-mail address or password');
    }
    if (needsRehash(user.passwordHash)) {
      const passwordHash = await hashPassword(password);
      await db.updateTable('users').set({ passwordHash }).where('id', '=', user.id).execute();
    }
    return user;
  };
}

export const signInErrors = {
  401: 'The e-mail address or the password is wrong.',
  429: 'Too many attempts.',
} as const;

export function signIn(jwt: Jwt, checkPassword: CheckPassword): App {
  return new App().post(
    route('/', { returns: Token, errors: signInErrors, summary: 'Sign in' }),
    Valid(Credentials),
    Context,
    async (credentials, ctx) => tokenFor(jwt, (await checkPassword(ctx, credentials)).id),
  );
}

export function me(): App {
  return new App().get(
    route('/', { returns: User, use: [requireScope(accountScope), currentUser], summary: 'Who I am' }),
    // The schema lets only its own fields leave: the hash of the password stays here.
    ({ user }) => user,
  );
}
