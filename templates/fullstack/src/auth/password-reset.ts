// A new password for who has forgotten the old one, by a link that is sent by mail.
import type { Context } from 'fw';
import { hashPassword } from 'fw/password';
import { servicesOf } from '../services.ts';
import { logAccountEvent } from './account-events.ts';
import { isLink, redeemLink, sendLink } from './mail-links.ts';

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
    purpose: 'reset-password',
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
  const failed = () => {
    logAccountEvent(ctx, 'password-change', { failure: 'the link does not work' });
    return false;
  };
  // Before the password is hashed, which takes its time.
  if (!(await isLink(ctx, 'reset-password', token))) return failed();
  // Who has got the mail has the address.
  const change = {
    passwordHash: await hashPassword(newPassword),
    emailConfirmedAt: new Date().toISOString(),
  };
  const link = await redeemLink(ctx, 'reset-password', token, (trx, { userId }) =>
    trx.updateTable('users').set(change).where('id', '=', userId).execute(),
  );
  if (link === undefined) return failed();
  await servicesOf(ctx).sessions.endAll(link.userId);
  logAccountEvent(ctx, 'password-change', { userId: link.userId });
  return true;
}
