// Accounts: sign up, sign in, sign out, who is signed in, a new password.
import { randomUUID } from 'node:crypto';
import { FwError } from 'fw';
import { isUniqueViolation } from 'fw/kysely';
import { hashPassword, signInLimit } from 'fw/password';
import { RpcRegistry } from 'fw/rpc';
import { z } from 'zod';
import { logAccountEvent } from './account-events.ts';
import { browserOf } from './browser.ts';
import { requestReset, resetPassword } from './password-reset.ts';
import { accountOf, NewPassword, Password, setPassword } from './passwords.ts';

/** What the page knows of an account. */
export interface User {
  id: string;
  email: string;
}

const Email = z.email('is not an e-mail address').max(254, 'is too long').toLowerCase();
const SignUp = z.object({ email: Email, password: NewPassword });
const SignIn = z.object({ email: Email, password: Password });
const ResetRequest = z.object({ email: Email });
const Reset = z.object({ token: z.string().max(100), newPassword: NewPassword });
const PasswordChange = z.object({ currentPassword: Password, newPassword: NewPassword });

// Hashing a password is expensive. This counts sign-ups, whatever comes of them.
const limitSignUps = signInLimit({ name: 'sign-up' });

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
    await limitSignUps(ctx, email);
    const user = { id: randomUUID(), email };
    const row = { ...user, passwordHash: await hashPassword(password), createdAt: new Date().toISOString() };
    try {
      await ctx.db().insertInto('users').values(row).execute();
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
      logAccountEvent(ctx, 'sign-up', { email, failure: 'the address has an account' });
      throw errors.emailTaken({ cause: error });
    }
    ctx.session().signIn(user.id, { label: browserOf(ctx.req.header('user-agent')) });
    logAccountEvent(ctx, 'sign-up', { userId: user.id });
    return user;
  },
);

/** Signs in with an account. */
accounts.mutation(
  'signIn',
  { input: SignIn, errors: { wrongCredentials: { description: 'Wrong e-mail address or password.' } } },
  async (credentials, { ctx, errors }): Promise<User> => {
    const account = await accountOf(ctx, 'sign-in', credentials);
    if (account === undefined) throw errors.wrongCredentials();
    const { id, email } = account;
    ctx.session().signIn(id, { label: browserOf(ctx.req.header('user-agent')) });
    logAccountEvent(ctx, 'sign-in', { userId: id });
    return { id, email };
  },
);

/** Ends the session, in all windows that use it: their streams of changes end with it. */
accounts.mutation('signOut', async (_: undefined, { ctx }): Promise<void> => {
  const { userId } = ctx.session();
  if (userId === undefined) throw FwError.unauthorized('nobody is signed in');
  ctx.session().clear();
  // What the browser has stored of this origin goes. "cookies" would end sign-ins to other apps of the domain, too.
  ctx.header('Clear-Site-Data', '"cache", "storage"');
  logAccountEvent(ctx, 'sign-out', { userId });
});

/** Changes the password of who knows the current one, and ends all other sessions. */
accounts.mutation(
  'changePassword',
  {
    input: PasswordChange,
    errors: { wrongPassword: { description: 'The current password is wrong.' } },
  },
  async ({ currentPassword, newPassword }, { ctx, errors }): Promise<void> => {
    const id = ctx.requireAuth().id ?? '';
    const user = await ctx.db().selectFrom('users').select('email').where('id', '=', id).executeTakeFirst();
    if (user === undefined) throw FwError.unauthorized('this account does not exist');
    const credentials = { email: user.email, password: currentPassword };
    if ((await accountOf(ctx, 'password-change', credentials)) === undefined) throw errors.wrongPassword();
    await setPassword(ctx, id, newPassword);
    await ctx.session().endOthers();
    // Whoever has got hold of the cookie of this one is signed out, too.
    ctx.session().regenerate();
    logAccountEvent(ctx, 'password-change', { userId: id });
  },
);

/** Sends a link for a new password to the address, if it has an account. */
accounts.mutation('requestReset', { input: ResetRequest }, ({ email }, { ctx }): Promise<void> => {
  return requestReset(ctx, email);
});

/** Sets a new password by a link, and ends all sessions of the account. */
accounts.mutation(
  'resetPassword',
  { input: Reset, errors: { invalidLink: { description: 'The link was used, or is too old.' } } },
  async ({ token, newPassword }, { ctx, errors }): Promise<void> => {
    if (!(await resetPassword(ctx, token, newPassword))) throw errors.invalidLink();
  },
);
