// Passwords: which ones people may choose, how they are checked, and how they are changed.
import { App, type Context, describeRoute, FwError, requireScope, Valid } from 'fw';
import { MemoryRateLimitStore, type RateLimitStore } from 'fw/middleware';
import { hashPassword, isCommonPassword, needsRehash, signInLimit, verifyPassword } from 'fw/password';
import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { Database } from '../database/database.ts';
import { logAccountEvent } from './account-events.ts';
import { accountScope, currentUser } from './auth.ts';
import { endSignIns } from './refresh-tokens.ts';

export const Email = z.email().max(254).toLowerCase();
export const NewPassword = z
  .string()
  .min(12, { abort: true })
  .max(1024, { abort: true })
  .refine(async (password) => !(await isCommonPassword(password)), 'is one of those that are tried first');
export const Password = z.string().min(1).max(1024);
export const Credentials = z.object({ email: Email, password: Password });

export interface PasswordCheckOptions {
  /** Signs the cookies of browsers that have signed in before, which the attempts of others do not lock out. */
  secret: string;
  /** Whether those are sent over HTTPS only. */
  secure: boolean;
  /** Counts in this process by default; several processes share a store of fw/redis. */
  store?: RateLimitStore;
}

/**
 * Checks an e-mail address and a password; 429 after too many failures on the account or by the client. If they are
 * wrong: 401 for a sign-in, 403 for what somebody does who is signed in.
 */
export type CheckPassword = (
  ctx: Context,
  credentials: z.output<typeof Credentials>,
  event?: 'sign-in' | 'password-change' | 'account-deletion',
) => Promise<Selectable<Database['users']>>;

/** Make it once: all ways to sign in count together. */
export function passwordCheck({
  secret,
  secure,
  store = new MemoryRateLimitStore(),
}: PasswordCheckOptions): CheckPassword {
  const limit = signInLimit({ secret, secure, store });
  return async function checkPassword(ctx, { email, password }, event = 'sign-in') {
    const db = ctx.db();
    const user = await db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst();
    const failed = (failure: string) => logAccountEvent(ctx, event, { userId: user?.id, email, failure });
    // Takes as long for an account that does not exist.
    const isRight = await limit(ctx, email, () => verifyPassword(password, user?.passwordHash)).catch(
      (error: unknown) => {
        if (error instanceof FwError && error.status === 429) failed('too many failures');
        throw error;
      },
    );
    if (!isRight || user === undefined) {
      failed('wrong password');
      if (event !== 'sign-in') throw FwError.forbidden('the current password is wrong');
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

/** A change of the password ends all sign-ins. */
export function password(checkPassword: CheckPassword): App {
  return App.withoutDefaults().put(
    describeRoute('/', {
      returns: { 204: null },
      errors: { 403: 'The current password is wrong.', 429: 'Too many attempts.' },
      use: [requireScope(accountScope), currentUser],
      summary: 'Change my password',
    }),
    Valid(z.object({ currentPassword: Password, newPassword: NewPassword })),
    async ({ currentPassword, newPassword }, { ctx, user }) => {
      const { id, email } = user;
      await checkPassword(ctx, { email, password: currentPassword }, 'password-change');
      const passwordHash = await hashPassword(newPassword);
      await ctx.db().updateTable('users').set({ passwordHash }).where('id', '=', id).execute();
      await endSignIns(ctx.db(), id);
      logAccountEvent(ctx, 'password-change', { userId: id });
    },
  );
}
