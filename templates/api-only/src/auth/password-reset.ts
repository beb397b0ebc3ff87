// A new password for who has forgotten the old one, by a link that is sent by mail and works once.
import { App, Context, describeRoute, FwError, Valid } from 'fw';
import { logAccountEvent, OneTimeTokens } from 'fw/accounts';
import { SqlTokenStore } from 'fw/kysely';
import type { Mailer } from 'fw/mail';
import { MemoryRateLimitStore, type RateLimitStore } from 'fw/middleware';
import { hashPassword, signInLimit } from 'fw/password';
import { z } from 'zod';
import type { Db } from '../database/database.ts';
import { Email, NewPassword, setPasswordHash } from './passwords.ts';
import { refreshTokens } from './refresh-tokens.ts';

export interface PasswordResetOptions {
  mail: Mailer;
  /** The page that sets the new password. Its secret is behind `#reset=`; without a page, mails have the secret alone. */
  page?: URL | undefined;
  /** Counts in this process by default; several processes share a store of fw/redis. */
  store?: RateLimitStore;
}

function resetTokens(db: Db): OneTimeTokens {
  return new OneTimeTokens({
    store: new SqlTokenStore(db),
    purpose: 'password-reset',
    lifetimeSeconds: 30 * 60,
  });
}

export function passwordReset({ mail, page, store = new MemoryRateLimitStore() }: PasswordResetOptions): App {
  // Nobody should get many mails that they have not asked for.
  const limit = signInLimit({
    store,
    name: 'password-reset',
    perAccountAndNetwork: 5,
    perAccount: 10,
    windowSeconds: 3600,
  });
  const app = App.withoutDefaults();

  app.post(
    describeRoute('/', {
      returns: { 204: null },
      errors: { 429: 'Too many requests.' },
      summary: 'Ask for a link for a new password',
      description: 'The answer is the same whether there is an account or not.',
    }),
    Valid(z.object({ email: Email })),
    Context,
    async ({ email }, ctx) => {
      await limit(ctx, email);
      // Nobody waits for it: the time would tell whether there is an account.
      void sendLink(ctx, email).catch((error: unknown) => {
        const why = error instanceof Error ? error.message : String(error);
        logAccountEvent(ctx, 'password-reset', { email, failure: `the mail was not sent: ${why}` });
      });
    },
  );

  app.put(
    describeRoute('/', {
      returns: { 204: null },
      errors: { 400: 'The link was used, or is too old.' },
      summary: 'Set a new password by the secret of a link',
    }),
    Valid(z.object({ token: z.string().max(100), newPassword: NewPassword })),
    Context,
    async ({ token, newPassword }, ctx) => {
      const userId = await setPassword(ctx.db(), token, newPassword);
      if (userId === undefined) {
        logAccountEvent(ctx, 'password-change', { failure: 'the link does not work' });
        throw FwError.badRequest('the link was used, or is too old; ask for a new one');
      }
      logAccountEvent(ctx, 'password-change', { userId });
    },
  );

  async function sendLink(ctx: Context, email: string): Promise<void> {
    const db = ctx.db();
    const user = await db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirst();
    if (user === undefined) {
      logAccountEvent(ctx, 'password-reset', { email, failure: 'there is no such account' });
      return;
    }
    const token = await resetTokens(db).issue(user.id);
    // Browsers send what is behind # to nobody, so that no log has it.
    const link = page === undefined ? token : Object.assign(new URL(page), { hash: `reset=${token}` }).href;
    await mail.send({
      to: email,
      subject: 'A new password',
      text: `Somebody, hopefully you, has asked for a new password. Choose it with this within 30 minutes:\n\n${link}\n\nIf it was not you, there is nothing to do.`,
    });
    logAccountEvent(ctx, 'password-reset', { userId: user.id });
  }

  return app;
}

/** Sets the password of the user whose token it is, and ends all their sign-ins; undefined if it does not work. */
async function setPassword(db: Db, token: string, password: string): Promise<string | undefined> {
  // Before the password is hashed, which takes its time.
  if ((await resetTokens(db).find(token)) === undefined) return undefined;
  const passwordHash = await hashPassword(password);
  return db.transaction().execute(async (trx) => {
    const redeemed = await resetTokens(trx).redeem(token);
    if (redeemed === undefined) return undefined;
    const { userId } = redeemed;
    await setPasswordHash(trx, userId, passwordHash);
    await refreshTokens(trx).endAll(userId);
    return userId;
  });
}
