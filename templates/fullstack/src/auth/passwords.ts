// Passwords: which ones people may choose, and how they are checked.
import { type Context, FwError } from 'fw';
import { hashPassword, isCommonPassword, needsRehash, verifyPassword } from 'fw/password';
import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { Database } from '../database/database.ts';
import { servicesOf } from '../services.ts';
import { type AccountEvent, logAccountEvent } from './account-events.ts';

export const Password = z.string().min(1, 'is missing').max(1024, 'is too long');
export const NewPassword = z
  .string()
  .min(12, { error: 'needs at least 12 characters', abort: true })
  .max(1024, { error: 'is too long', abort: true })
  .refine(async (password) => !(await isCommonPassword(password)), 'is one of those that are tried first');

/** The account of an address, if the password is right; 429 after too many failures. */
export async function accountOf(
  ctx: Context,
  event: AccountEvent,
  { email, password }: { email: string; password: string },
): Promise<Selectable<Database['users']> | undefined> {
  const db = ctx.db();
  const user = await db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst();
  const failed = (failure: string) => logAccountEvent(ctx, event, { userId: user?.id, email, failure });
  // Takes as long for an account that does not exist.
  const isRight = await servicesOf(ctx)
    .signIns(ctx, email, () => verifyPassword(password, user?.passwordHash ?? undefined))
    .catch((error: unknown) => {
      if (error instanceof FwError && error.status === 429) failed('too many failures');
      throw error;
    });
  if (!isRight || user === undefined) {
    failed('wrong password');
    return undefined;
  }
  if (user.passwordHash !== null && needsRehash(user.passwordHash)) await setPassword(ctx, user.id, password);
  return user;
}

export async function setPassword(ctx: Context, userId: string, password: string): Promise<void> {
  const passwordHash = await hashPassword(password);
  await ctx.db().updateTable('users').set({ passwordHash }).where('id', '=', userId).execute();
}
