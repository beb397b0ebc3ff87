// Passwords: which ones people may choose, how they are checked, and how they are changed.
import { App, type Context, describeRoute, FwError, requireScope, Valid } from 'fw';
import { logAccountEvent, type PasswordCheck, passwordCheck } from 'fw/accounts';
import { hashPassword, isCommonPassword, type SignInLimit } from 'fw/password';
import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { Database, Db } from '../database/database.ts';
import { accountScope, currentUser } from './auth.ts';
import { refreshTokens } from './refresh-tokens.ts';

export const Email = z.email().max(254).toLowerCase();
export const NewPassword = z
  .string()
  .min(12, { abort: true })
  .max(1024, { abort: true })
  .refine(async (password) => !(await isCommonPassword(password)), 'is one of those that are tried first');
export const Password = z.string().min(1).max(1024);
export const Credentials = z.object({ email: Email, password: Password });

export type CheckPassword = PasswordCheck<Selectable<Database['users']>>;

/** Make it once: all ways to sign in count together. */
export function checkPasswords(limit: SignInLimit): CheckPassword {
  return passwordCheck({
    limit,
    find: (ctx, email) =>
      ctx.db().selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst(),
    rehash: (ctx, { id }, passwordHash) => setPasswordHash(ctx.db(), id, passwordHash),
  });
}

export async function setPasswordHash(db: Db, id: string, passwordHash: string): Promise<void> {
  await db.updateTable('users').set({ passwordHash }).where('id', '=', id).execute();
}

/** For what somebody does who is signed in. @throws FwError 403 if the password is not theirs */
export async function requirePassword(
  ctx: Context,
  checkPassword: CheckPassword,
  credentials: z.output<typeof Credentials>,
  event: 'password-change' | 'account-deletion',
): Promise<void> {
  const user = await checkPassword(ctx, credentials, event);
  if (user === undefined) throw FwError.forbidden('the current password is wrong');
}

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
    async ({ currentPassword, newPassword }, { ctx, user: { id, email } }) => {
      await requirePassword(ctx, checkPassword, { email, password: currentPassword }, 'password-change');
      await setPasswordHash(ctx.db(), id, await hashPassword(newPassword));
      await refreshTokens(ctx.db()).endAll(id);
      logAccountEvent(ctx, 'password-change', { userId: id });
    },
  );
}
