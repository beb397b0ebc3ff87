// Passwords: which ones people may choose, and how they are checked.
import { type PasswordCheck, passwordCheck } from 'fw/accounts';
import { isCommonPassword, type SignInLimit } from 'fw/password';
import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { Database, Db } from '../database/database.ts';

export const Password = z.string().min(1, 'is missing').max(1024, 'is too long');
export const NewPassword = z
  .string()
  .min(12, { error: 'needs at least 12 characters', abort: true })
  .max(1024, { error: 'is too long', abort: true })
  .refine(async (password) => !(await isCommonPassword(password)), 'is one of those that are tried first');

/** The account of an address, if the password is right; 429 after too many failures. */
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
