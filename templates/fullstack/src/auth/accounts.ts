// Accounts: sign up, sign in, sign out, who is signed in, the e-mail address and the password, the end of an account.
import { randomUUID } from 'node:crypto';
import { type Context, FwError } from 'fw';
import { type AccountEvent, logAccountEvent } from 'fw/accounts';
import { isUniqueViolation } from 'fw/kysely';
import { hashPassword } from 'fw/password';
import { RpcRegistry } from 'fw/rpc';
import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { Database } from '../database/database.ts';
import { servicesOf } from '../services.ts';
import { browserOf } from './browser.ts';
import { confirmEmail, sendConfirmation } from './email-confirmation.ts';
import { requestReset, resetPassword } from './password-reset.ts';
import { NewPassword, Password, setPasswordHash } from './passwords.ts';

/** What the page knows of an account. */
export interface User {
  id: string;
  email: string;
  isConfirmed: boolean;
  /** Accounts of a provider have none. */
  hasPassword: boolean;
}

type Row = Selectable<Database['users']>;

const Email = z.email('is not an e-mail address').max(254, 'is too long').toLowerCase();
const Token = z.string().max(100);
const SignUp = z.object({ email: Email, password: NewPassword });
const SignIn = z.object({ email: Email, password: Password });
const PasswordChange = z.object({ currentPassword: Password, newPassword: NewPassword });

// Errors that several procedures declare.
const emailTaken = { description: 'There is an account with this e-mail address.' };
const wrongPassword = { description: 'The password is wrong.' };
const invalidLink = { description: 'The link was used, or is too old.' };

export const accounts = RpcRegistry.group('accounts');

/** Who is signed in, or null. */
accounts.query('current', async (_: undefined, { ctx }): Promise<User | null> => {
  const row = await findUser(ctx);
  return row === undefined ? null : userOf(row);
});

/** The name of the provider that people can sign in with, or null. */
accounts.query('provider', (_: undefined, { ctx }): string | null => ctx.get('provider') ?? null);

/** Makes an account and signs in. */
accounts.mutation(
  'signUp',
  { input: SignUp, errors: { emailTaken } },
  async ({ email, password }, { ctx, errors }): Promise<User> => {
    await servicesOf(ctx).signUps(ctx, email);
    const row: Row = {
      id: randomUUID(),
      email,
      emailConfirmedAt: null,
      passwordHash: await hashPassword(password),
      createdAt: new Date().toISOString(),
    };
    try {
      await ctx.db().insertInto('users').values(row).execute();
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
      logAccountEvent(ctx, 'sign-up', { email, failure: 'the address has an account' });
      throw errors.emailTaken({ cause: error });
    }
    signIn(ctx, row.id);
    logAccountEvent(ctx, 'sign-up', { userId: row.id });
    // The account can be used at once; the page says that the address is not confirmed, and sends again.
    void sendConfirmation(ctx, { userId: row.id, email }).catch((error: unknown) => {
      const failure = `the mail was not sent: ${error}`;
      logAccountEvent(ctx, 'email-confirmation', { userId: row.id, failure });
    });
    return userOf(row);
  },
);

/** Signs in with an account. */
accounts.mutation(
  'signIn',
  { input: SignIn, errors: { wrongCredentials: { description: 'Wrong e-mail address or password.' } } },
  async (credentials, { ctx, errors }): Promise<User> => {
    const account = await servicesOf(ctx).checkPassword(ctx, credentials);
    if (account === undefined) throw errors.wrongCredentials();
    signIn(ctx, account.id);
    logAccountEvent(ctx, 'sign-in', { userId: account.id });
    return userOf(account);
  },
);

/** Ends the session, in all windows that use it: their streams of changes end with it. */
accounts.mutation('signOut', async (_: undefined, { ctx }): Promise<void> => {
  const { userId } = ctx.session();
  if (userId === undefined) throw FwError.unauthorized('nobody is signed in');
  signOut(ctx);
  logAccountEvent(ctx, 'sign-out', { userId });
});

/** Changes the password of who knows the current one, and ends all other sessions. */
accounts.mutation(
  'changePassword',
  { input: PasswordChange, errors: { wrongPassword } },
  async ({ currentPassword, newPassword }, { ctx, errors }): Promise<void> => {
    const { id, email } = await requireUser(ctx);
    if (!(await isRight(ctx, 'password-change', { email, password: currentPassword }))) {
      throw errors.wrongPassword();
    }
    await setPasswordHash(ctx.db(), id, await hashPassword(newPassword));
    await ctx.session().endOthers();
    // Whoever has got hold of the cookie of this one is signed out, too.
    ctx.session().regenerate();
    logAccountEvent(ctx, 'password-change', { userId: id });
  },
);

/** Sends a link for a new password to the address, if it has an account. */
accounts.mutation(
  'requestReset',
  { input: z.object({ email: Email }) },
  ({ email }, { ctx }): Promise<void> => {
    return requestReset(ctx, email);
  },
);

/** Sets a new password by a link, and ends all sessions of the account. */
accounts.mutation(
  'resetPassword',
  { input: z.object({ token: Token, newPassword: NewPassword }), errors: { invalidLink } },
  async ({ token, newPassword }, { ctx, errors }): Promise<void> => {
    if (!(await resetPassword(ctx, token, newPassword))) throw errors.invalidLink();
  },
);

/** Sends the link that confirms the address of the account again. */
accounts.mutation('requestConfirmation', async (_: undefined, { ctx }): Promise<void> => {
  const { id, email, emailConfirmedAt } = await requireUser(ctx);
  if (emailConfirmedAt !== null) return;
  await servicesOf(ctx).mails(ctx, email);
  await sendConfirmation(ctx, { userId: id, email });
});

/** Sends a link to a new address, which takes the place of the one of the account when it is confirmed. */
accounts.mutation(
  'changeEmail',
  { input: SignIn, errors: { emailTaken, wrongPassword } },
  async ({ email, password }, { ctx, errors }): Promise<void> => {
    const user = await requireUser(ctx);
    if (!(await isRight(ctx, 'email-change', { email: user.email, password }))) throw errors.wrongPassword();
    const others = ctx.db().selectFrom('users').select('id').where('email', '=', email);
    if ((await others.executeTakeFirst()) !== undefined) throw errors.emailTaken();
    await servicesOf(ctx).mails(ctx, email);
    await sendConfirmation(ctx, { userId: user.id, email });
  },
);

/** Confirms an address by a link, whoever is signed in, and gives the address. */
accounts.mutation(
  'confirmEmail',
  { input: z.object({ token: Token }), errors: { invalidLink, emailTaken } },
  async ({ token }, { ctx, errors }): Promise<string> => {
    const email = await confirmEmail(ctx, token).catch((error: unknown) => {
      throw isUniqueViolation(error) ? errors.emailTaken({ cause: error }) : error;
    });
    if (email === undefined) throw errors.invalidLink();
    return email;
  },
);

/** Deletes the account with everything of it. Accounts without a password confirm it by their e-mail address. */
accounts.mutation(
  'remove',
  {
    input: z.object({ confirmation: Password }),
    errors: { wrongConfirmation: { description: 'It is wrong.' } },
  },
  async ({ confirmation }, { ctx, errors }): Promise<void> => {
    const { id, email, passwordHash } = await requireUser(ctx);
    const isConfirmed =
      passwordHash === null
        ? confirmation.trim().toLowerCase() === email
        : await isRight(ctx, 'account-deletion', { email, password: confirmation });
    if (!isConfirmed) throw errors.wrongConfirmation();
    // Lists, tasks, sessions and links go with it, because their tables refer to it: all of that, or nothing.
    await ctx.db().deleteFrom('users').where('id', '=', id).execute();
    // Ends the streams of its windows.
    await servicesOf(ctx).sessions.endAll(id);
    signOut(ctx);
    logAccountEvent(ctx, 'account-deletion', { userId: id });
  },
);

async function isRight(
  ctx: Context,
  event: AccountEvent,
  credentials: z.output<typeof SignIn>,
): Promise<boolean> {
  return (await servicesOf(ctx).checkPassword(ctx, credentials, event)) !== undefined;
}

function userOf({ id, email, emailConfirmedAt, passwordHash }: Row): User {
  return { id, email, isConfirmed: emailConfirmedAt !== null, hasPassword: passwordHash !== null };
}

async function findUser(ctx: Context): Promise<Row | undefined> {
  const id = ctx.principal()?.id;
  if (id === undefined) return undefined;
  return ctx.db().selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();
}

async function requireUser(ctx: Context): Promise<Row> {
  const row = await findUser(ctx);
  if (row === undefined) throw FwError.unauthorized('this account does not exist');
  return row;
}

function signIn(ctx: Context, userId: string): void {
  ctx.session().signIn(userId, { label: browserOf(ctx.req.header('user-agent')) });
}

function signOut(ctx: Context): void {
  ctx.session().clear();
  // What the browser has stored of this origin goes. "cookies" would end sign-ins to other apps of the domain, too.
  ctx.header('Clear-Site-Data', '"cache", "storage"');
}
