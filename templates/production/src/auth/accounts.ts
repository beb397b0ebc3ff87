// Accounts: sign-up, sign-in, and who I am.
import { randomUUID } from 'node:crypto';
import { App, Context, describeRoute, FwError, requireScope, Valid } from 'fw';
import { logAccountEvent } from 'fw/accounts';
import type { Jwt } from 'fw/jwt';
import { isUniqueViolation } from 'fw/kysely';
import { MemoryRateLimitStore, type RateLimitStore, rateLimiter } from 'fw/middleware';
import { hashPassword } from 'fw/password';
import { z } from 'zod';
import { accountScope, currentUser } from './auth.ts';
import {
  type CheckPassword,
  Credentials,
  Email,
  NewPassword,
  Password,
  requirePassword,
} from './passwords.ts';
import { Tokens, tokensFor } from './refresh-tokens.ts';

const SignUp = z.object({ email: Email, password: NewPassword });
const User = z.object({ id: z.uuid(), email: z.string(), createdAt: z.iso.datetime() }).meta({ id: 'User' });

/**
 * Ten accounts per hour and client address: hashing a password is expensive.
 * @param store counts in this process by default; several processes share a store of fw/redis
 */
export function signUp(jwt: Jwt, store: RateLimitStore = new MemoryRateLimitStore()): App {
  return App.withoutDefaults()
    .use(rateLimiter({ max: 10, windowSeconds: 3600, name: 'sign-up', store }))
    .post(
      describeRoute('/', {
        returns: { 201: Tokens },
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
          logAccountEvent(ctx, 'sign-up', { email, failure: 'the address has an account' });
          throw FwError.conflict('there is an account with this e-mail address', { cause: error });
        }
        logAccountEvent(ctx, 'sign-up', { userId: user.id });
        return tokensFor(ctx, jwt, user.id);
      },
    );
}

export function signIn(jwt: Jwt, checkPassword: CheckPassword): App {
  return App.withoutDefaults().post(
    describeRoute('/', {
      returns: Tokens,
      errors: { 401: 'The e-mail address or the password is wrong.', 429: 'Too many attempts.' },
      summary: 'Sign in',
    }),
    Valid(Credentials),
    Context,
    async (credentials, ctx) => {
      const user = await checkPassword(ctx, credentials);
      if (user === undefined) throw FwError.unauthorized('wrong e-mail address or password');
      logAccountEvent(ctx, 'sign-in', { userId: user.id });
      return tokensFor(ctx, jwt, user.id);
    },
  );
}

export function me(checkPassword: CheckPassword): App {
  const app = App.withoutDefaults();
  const use = [requireScope(accountScope), currentUser] as const;

  app.get(
    describeRoute('/', { returns: User, use, summary: 'Who I am' }),
    // The schema lets only its own fields leave: the hash of the password stays here.
    (_, { user }) => user,
  );

  app.delete(
    describeRoute('/', {
      returns: { 204: null },
      errors: { 403: 'The password is wrong.', 429: 'Too many attempts.' },
      use,
      summary: 'Delete my account, with all that belongs to it',
    }),
    Valid(z.object({ currentPassword: Password })),
    async ({ currentPassword }, { ctx, user: { id, email } }) => {
      await requirePassword(ctx, checkPassword, { email, password: currentPassword }, 'account-deletion');
      // Every table that belongs to a user says "on delete cascade".
      await ctx.db().deleteFrom('users').where('id', '=', id).execute();
      logAccountEvent(ctx, 'account-deletion', { userId: id });
    },
  );
  return app;
}
