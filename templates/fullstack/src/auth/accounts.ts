// Accounts: sign up, sign in, sign out, and who is signed in.
import { randomUUID } from 'node:crypto';
import { FwError } from 'fw';
import { isUniqueViolation } from 'fw/kysely';
import { hashPassword, needsRehash, signInLimit, verifyPassword } from 'fw/password';
import { RpcRegistry } from 'fw/rpc';
import { z } from 'zod';
import { sessionEnded } from '../lists/changes.ts';

/** What the page knows of an account. */
export interface User {
  id: string;
  email: string;
}

const Email = z.email('is not an e-mail address').max(254).toLowerCase();
const SignUp = z.object({
  email: Email,
  password: z.string().min(12, 'needs at least 12 characters').max(1024),
});
const SignIn = z.object({ email: Email, password: z.string().min(1, 'is missing').max(1024) });

// Counts attempts by account and by client address, in this process. Several processes share them with fw/redis.
const limit = signInLimit();

export const accounts = RpcRegistry.group('accounts');

/** Who is signed in, or null. */
accounts.query('current', async (_: undefined, { ctx }): Promise<User | null> => {
  const id = ctx.principal()?.id;
  if (id === undefined) return null;
  const user = await ctx
    .db()
    .selectFrom('users')
    .select(['id', 'email'])
    .where('id', '=', id)
    .executeTakeFirst();
  return user ?? null;
});

/** Makes an account and signs in. */
accounts.mutation(
  'signUp',
  { input: SignUp, errors: { emailTaken: { description: 'There is an account with this e-mail address.' } } },
  async ({ email, password }, { ctx, errors }): Promise<User> => {
    await limit(ctx, email);
    const user = { id: randomUUID(), email };
    const row = { ...user, passwordHash: await hashPassword(password), createdAt: new Date().toISOString() };
    try {
      await ctx.db().insertInto('users').values(row).execute();
    } catch (error) {
      if (isUniqueViolation(error)) throw errors.emailTaken({ cause: error });
      throw error;
    }
    ctx.session().signIn(user.id);
    return user;
  },
);

/** Signs in with an account. */
accounts.mutation(
  'signIn',
  { input: SignIn, errors: { wrongCredentials: { description: 'Wrong e-mail address or password.' } } },
  async ({ email, password }, { ctx, errors }): Promise<User> => {
    await limit(ctx, email);
    const row = await ctx.db().selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst();
    // Takes as long for an account that does not exist.
    if (!(await verifyPassword(password, row?.passwordHash)) || row === undefined) {
      throw errors.wrongCredentials();
    }
    if (needsRehash(row.passwordHash)) {
      const passwordHash = await hashPassword(password);
      await ctx.db().updateTable('users').set({ passwordHash }).where('id', '=', row.id).execute();
    }
    const user = { id: row.id, email: row.email };
    ctx.session().signIn(user.id);
    return user;
  },
);

/** Ends the session, in all windows that use it. */
accounts.mutation('signOut', async (_: undefined, { ctx }): Promise<void> => {
  const { id, userId } = ctx.session();
  if (id === undefined || userId === undefined) throw FwError.unauthorized('nobody is signed in');
  ctx.session().clear();
  // The other windows ask who is signed in as soon as they are told.
  await ctx.session().save();
  sessionEnded(userId, id);
});
