// Accounts: sign-up, sign-in, and who I am.
import { randomUUID } from 'node:crypto';
import { App, Context, FwError, requireScope, route, Valid } from 'fw';
import type { Jwt } from 'fw/jwt';
import { isUniqueViolation } from 'fw/kysely';
import { rateLimiter } from 'fw/middleware';
import { hashPassword, needsRehash, signInLimit, verifyPassword } from 'fw/password';
import { z } from 'zod';
import { accountScope, currentUser, tokenFor } from './auth.ts';

const Email = z.email().max(254).toLowerCase();
const SignUp = z.object({ email: Email, password: z.string().min(12).max(1024) });
const SignIn = z.object({ email: Email, password: z.string().min(1).max(1024) });

const Token = z
  .object({
    token: z.string().meta({ description: 'Send it as Authorization: Bearer …' }),
    expiresInSeconds: z.number(),
  })
  .meta({ id: 'Token' });
const User = z.object({ id: z.uuid(), email: z.string(), createdAt: z.iso.datetime() }).meta({ id: 'User' });

/** Ten accounts per hour and client address: hashing a password is expensive. */
export function signUp(jwt: Jwt): App {
  return new App().use(rateLimiter({ max: 10, windowSeconds: 3600, name: 'sign-up' })).post(
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

export function signIn(jwt: Jwt): App {
  // Counts attempts by account and by client address, in this process. Several processes share them with fw/redis.
  const limit = signInLimit();
  return new App().post(
    route('/', {
      returns: Token,
      errors: { 401: 'The e-mail address or the password is wrong.', 429: 'Too many attempts.' },
      summary: 'Sign in',
    }),
    Valid(SignIn),
    Context,
    async ({ email, password }, ctx) => {
      await limit(ctx, email);
      const user = await ctx
        .db()
        .selectFrom('users')
        .selectAll()
        .where('email', '=', email)
        .executeTakeFirst();
      // Takes as long for an account that does not exist.
      if (!(await verifyPassword(password, user?.passwordHash)) || user === undefined) {
        throw FwError.unauthorized('wrong e-mail address or password');
      }
      if (needsRehash(user.passwordHash)) {
        const passwordHash = await hashPassword(password);
        await ctx.db().updateTable('users').set({ passwordHash }).where('id', '=', user.id).execute();
      }
      return tokenFor(jwt, user.id);
    },
  );
}

export function me(): App {
  return new App().get(
    route('/', { returns: User, use: [requireScope(accountScope), currentUser], summary: 'Who I am' }),
    // The schema lets only its own fields leave: the hash of the password stays here.
    ({ user }) => user,
  );
}
