// A new password for who has forgotten the old one, by a link that is sent by mail and works once.
import { createHash, randomBytes } from 'node:crypto';
import type { Context } from 'fw';
import { hashPassword, signInLimit } from 'fw/password';
import { servicesOf } from '../services.ts';
import { logAccountEvent } from './account-events.ts';

const LIFETIME_MS = 30 * 60_000;

// Nobody should get many mails that they have not asked for.
const limit = signInLimit({
  name: 'password-reset',
  perAccountAndNetwork: 5,
  perAccount: 10,
  windowSeconds: 3600,
});

/** Sends a link, if there is an account. Neither the answer nor its time tells whether there is. */
export async function requestReset(ctx: Context, email: string): Promise<void> {
  await limit(ctx, email);
  void sendLink(ctx, email).catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    logAccountEvent(ctx, 'password-reset', { email, failure: `the mail was not sent: ${why}` });
  });
}

async function sendLink(ctx: Context, email: string): Promise<void> {
  const db = ctx.db();
  const { sendMail, publicUrl } = servicesOf(ctx);
  const user = await db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirst();
  if (user === undefined) {
    logAccountEvent(ctx, 'password-reset', { email, failure: 'there is no such account' });
    return;
  }
  const token = randomBytes(32).toString('base64url');
  const [userId, now] = [user.id, Date.now()];
  await db.deleteFrom('passwordResets').where('expiresAtMs', '<=', now).execute();
  // Only the digest is stored: whoever reads the table cannot use the links.
  await db
    .insertInto('passwordResets')
    .values({ digest: digestOf(token), userId, expiresAtMs: now + LIFETIME_MS })
    .execute();
  // Browsers send what is behind # to nobody, so that no log has it.
  const link = `${new URL('/reset-password', publicUrl).href}#${token}`;
  await sendMail({
    to: email,
    subject: 'A new password',
    text: `Somebody, hopefully you, has asked for a new password. Choose it here within 30 minutes:\n\n${link}\n\nIf it was not you, there is nothing to do.`,
  });
  logAccountEvent(ctx, 'password-reset', { userId });
}

/** Sets the password of whose link it is, and ends all sessions of theirs. False if the link does not work. */
export async function resetPassword(ctx: Context, token: string, newPassword: string): Promise<boolean> {
  const db = ctx.db();
  const digest = digestOf(token);
  const valid = db.selectFrom('passwordResets').select('userId').where('digest', '=', digest);
  // Before the password is hashed, which takes its time.
  const found = await valid.where('expiresAtMs', '>', Date.now()).executeTakeFirst();
  if (found === undefined) {
    logAccountEvent(ctx, 'password-change', { failure: 'the link does not work' });
    return false;
  }
  const passwordHash = await hashPassword(newPassword);
  const { userId } = found;
  const isFirst = await db.transaction().execute(async (trx) => {
    // If two come at once, one removes it.
    const used = await trx.deleteFrom('passwordResets').where('digest', '=', digest).executeTakeFirst();
    if (used.numDeletedRows === 0n) return false;
    await trx.deleteFrom('passwordResets').where('userId', '=', userId).execute();
    await trx.updateTable('users').set({ passwordHash }).where('id', '=', userId).execute();
    return true;
  });
  if (!isFirst) return false;
  await servicesOf(ctx).sessions.endAll(userId);
  logAccountEvent(ctx, 'password-change', { userId });
  return true;
}

function digestOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
