// Confirms e-mail addresses by links that are sent to them: that of a new account, and one that is to take its place.
import type { Context } from 'fw';
import { logAccountEvent } from 'fw/accounts';
import { servicesOf } from '../services.ts';
import { linkTokens, sendLink } from './mail-links.ts';

const purpose = 'confirm-email';

export function sendConfirmation(ctx: Context, to: { userId: string; email: string }): Promise<void> {
  return sendLink(ctx, {
    purpose,
    ...to,
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
  const confirmed = await ctx
    .db()
    .transaction()
    .execute(async (trx) => {
      const link = await linkTokens(trx, purpose).redeem(token);
      if (link === undefined) return undefined;
      const { userId, data: email } = link;
      const user = await trx.selectFrom('users').select('email').where('id', '=', userId).executeTakeFirst();
      const change = { email, emailConfirmedAt: new Date().toISOString() };
      await trx.updateTable('users').set(change).where('id', '=', userId).execute();
      return { userId, email, before: user?.email };
    });
  if (confirmed === undefined) {
    logAccountEvent(ctx, 'email-confirmation', { failure: 'the link does not work' });
    return undefined;
  }
  const { userId, email, before } = confirmed;
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
