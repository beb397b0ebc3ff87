// Confirms e-mail addresses by links that are sent to them: that of a new account, and one that is to take its place.
import type { Context } from 'fw';
import { servicesOf } from '../services.ts';
import { logAccountEvent } from './account-events.ts';
import { type Link, redeemLink, sendLink } from './mail-links.ts';

export function sendConfirmation(ctx: Context, link: Link): Promise<void> {
  return sendLink(ctx, {
    purpose: 'confirm-email',
    ...link,
    subject: 'Confirm your e-mail address',
    text: (url) =>
      `Confirm within a day that this is your address:\n\n${url}\n\nIf you have not given it to us, there is nothing to do.`,
  });
}

/**
 * Makes the address of the link the confirmed one of its account. Undefined if the link does not work.
 * @throws the error of the database if another account has that address by now
 */
export async function confirmEmail(ctx: Context, token: string): Promise<string | undefined> {
  let before: string | undefined;
  const link = await redeemLink(ctx, 'confirm-email', token, async (trx, { userId, email }) => {
    const user = await trx.selectFrom('users').select('email').where('id', '=', userId).executeTakeFirst();
    before = user?.email;
    const confirmed = { email, emailConfirmedAt: new Date().toISOString() };
    await trx.updateTable('users').set(confirmed).where('id', '=', userId).execute();
  });
  if (link === undefined) {
    logAccountEvent(ctx, 'email-confirmation', { failure: 'the link does not work' });
    return undefined;
  }
  const { userId, email } = link;
  logAccountEvent(ctx, 'email-confirmation', { userId });
  if (before !== undefined && before !== email) tellOldAddress(ctx, userId, before);
  return email;
}

/** Whoever has the account notices if it was not them. */
function tellOldAddress(ctx: Context, userId: string, to: string): void {
  logAccountEvent(ctx, 'email-change', { userId });
  const text = 'Your account has another e-mail address now. If it was not you who changed it, write to us.';
  void servicesOf(ctx)
    .mail.send({ to, subject: 'Your e-mail address was changed', text })
    .catch((error: unknown) => {
      logAccountEvent(ctx, 'email-change', { userId, failure: `the old address was not told: ${error}` });
    });
}
