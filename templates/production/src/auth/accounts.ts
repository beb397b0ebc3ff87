// Accounts: sign-up, sign-in, and who I am.
import { randomUUID } from 'node:crypto';
import { App, Context, describeRoute, FwError, requireScope, Valid } from 'fw';
import type { Jwt } from 'fw/jwt';
import { isUniqueViolation } from 'fw/kysely';
import { MemoryRateLimitStore, type RateLimitStore, rateLimiter } from 'fw/middleware';
import { hashPassword } from 'fw/password';
import { z } from 'zod';
import { logAccountEvent } from './account-events.ts';
import { accountScope, currentUser, tokenFor } from './auth.ts';
import { type CheckPassword, Credentials, Email, NewPassword, signInErrors } from './passwords.ts';

const SignUp = z.object({ email: Email, password: NewPassword });
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
  return App.withoutDefaults()
    .use(rateLimiter({ max: 10, windowSeconds: 3600, name: 'sign-up', store }))
    .post(
      describeRoute('/', {
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
          logAccountEvent(ctx, 'sign-up', { email, failure: 'the address has an account' });
          throw FwError.conflict('there is an account with this e-mail address', { cause: error });
        }
        logAccountEvent(ctx, 'sign-up', { userId: user.id });
        return sentToken(ctx, jwt, user.id);
      },
    );
}

export function signIn(jwt: Jwt, checkPassword: CheckPassword): App {
  return App.withoutDefaults().post(
    describeRoute('/', { returns: Token, errors: signInErrors, summary: 'Sign in' }),
    Valid(Credentials),
    Context,
    async (credentials, ctx) => {
      const { id } = await checkPassword(ctx, credentials);
      logAccountEvent(ctx, 'sign-in', { userId: id });
      return sentToken(ctx, jwt, id);
    },
  );
}

/** No cache may keep a token (RFC 6749, section 5.1). */
function sentToken(ctx: Context, jwt: Jwt, userId: string): z.input<typeof Token> {
  ctx.header('Cache-Control', 'no-store');
  return tokenFor(jwt, userId);
}

export function me(): App {
  return App.withoutDefaults().get(
    describeRoute('/', {
      returns: User,
      use: [requireScope(accountScope), currentUser],
      summary: 'Who I am',
    }),
    // The schema lets only its own fields leave: the hash of the password stays here.
    (_, { user }) => user,
  );
}
