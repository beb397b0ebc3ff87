// A new password for who has forgotten the old one, by a link that is sent by mail.
import type { Context } from 'fw';
import { logAccountEvent } from 'fw/accounts';
import { hashPassword } from 'fw/password';
import { servicesOf } from '../services.ts';
import { linkTokens, sendLink } from './mail-links.ts';

const purpose = 'reset-password';

/** Sends a link, if there is an account with a password. Neither the answer nor its time tells whether there is. */
export async function requestReset(ctx: Context, email: string): Promise<void> {
  await servicesOf(ctx).mails(ctx, email);
  void sendReset(ctx, email).catch((error: unknown) => {
    logAccountEvent(ctx, 'password-reset', { email, failure: `the mail was not sent: ${error}` });
  });
}

async function sendReset(ctx: Context, email: string): Promise<void> {
  const users = ctx.db().selectFrom('users').select(['id', 'passwordHash']).where('email', '=', email);
  const user = await users.executeTakeFirst();
  if (user === undefined || user.passwordHash === null) {
    const failure = user === undefined ? 'there is no such account' : 'the account is one of a provider';
    logAccountEvent(ctx, 'password-reset', { email, userId: user?.id, failure });
    return;
  }
  await sendLink(ctx, {
    purpose,
    userId: user.id,
    email,
    subject: 'A new password',
    text: (link) =>
      `Somebody, hopefully you, has asked for a new password. Choose it here within 30 minutes:\n\n${link}\n\nIf it was not you, there is nothing to do.`,
  });
  logAccountEvent(ctx, 'password-reset', { userId: user.id });
}

/** Sets the password of whose link it is, and ends all sessions of theirs. False if the link does not work. */
export async function resetPassword(ctx: Context, token: string, newPassword: string): Promise<boolean> {
  const userId = await setPassword(ctx, token, newPassword);
  if (userId === undefined) {
    logAccountEvent(ctx, 'password-change', { failure: 'the link does not work' });
    return false;
  }
  await servicesOf(ctx).sessions.endAll(userId);
  logAccountEvent(ctx, 'password-change', { userId });
  return true;
}

async function setPassword(ctx: Context, token: string, password: string): Promise<string | undefined> {
  // Before the password is hashed, which takes its time.
  if ((await linkTokens(ctx.db(), purpose).find(token)) === undefined) return undefined;
  // Who has got the mail has the address.
  const emailConfirmedAt = new Date().toISOString();
  const change = { passwordHash: await hashPassword(password), emailConfirmedAt };
  return ctx
    .db()
    .transaction()
    .execute(async (trx) => {
      const link = await linkTokens(trx, purpose).redeem(token);
      if (link === undefined) return undefined;
      await trx.updateTable('users').set(change).where('id', '=', link.userId).execute();
      return link.userId;
    });
}
