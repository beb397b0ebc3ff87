// A new password for who has forgotten the old one, by a link that is sent by mail and works once.
import { createHash, randomBytes } from 'node:crypto';
import { App, Context, describeRoute, FwError, Valid } from 'fw';
import type { Mailer } from 'fw/mail';
import { MemoryRateLimitStore, type RateLimitStore } from 'fw/middleware';
import { hashPassword, signInLimit } from 'fw/password';
import { z } from 'zod';
import type { Db } from '../database/database.ts';
import { logAccountEvent } from './account-events.ts';
import { Email, NewPassword } from './passwords.ts';
import { endSignIns } from './refresh-tokens.ts';

const LIFETIME_MS = 30 * 60_000;

export interface PasswordResetOptions {
  mail: Mailer;
  /** The page that sets the new password. Its secret is behind `#reset=`; without a page, mails have the secret alone. */
  page?: URL | undefined;
  /** Counts in this process by default; several processes share a store of fw/redis. */
  store?: RateLimitStore;
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
      await endSignIns(ctx.db(), userId);
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
    const token = await newToken(db, user.id);
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

/** Only the digest of a secret is stored: whoever reads the table cannot use it. */
async function newToken(db: Db, userId: string): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  const now = Date.now();
  await db.deleteFrom('passwordResets').where('expiresAtMs', '<=', now).execute();
  await db
    .insertInto('passwordResets')
    .values({ digest: digestOf(token), userId, expiresAtMs: now + LIFETIME_MS })
    .execute();
  return token;
}

/** Sets the password of the user whose secret it is; undefined if there is none. */
async function setPassword(db: Db, token: string, password: string): Promise<string | undefined> {
  const digest = digestOf(token);
  const valid = db.selectFrom('passwordResets').select('userId').where('digest', '=', digest);
  // Before the password is hashed, which takes its time.
  const found = await valid.where('expiresAtMs', '>', Date.now()).executeTakeFirst();
  if (found === undefined) return undefined;
  const passwordHash = await hashPassword(password);
  const { userId } = found;
  return db.transaction().execute(async (trx) => {
    // If two come at once, one removes it.
    const used = await trx.deleteFrom('passwordResets').where('digest', '=', digest).executeTakeFirst();
    if (used.numDeletedRows === 0n) return undefined;
    await trx.deleteFrom('passwordResets').where('userId', '=', userId).execute();
    await trx.updateTable('users').set({ passwordHash }).where('id', '=', userId).execute();
    return userId;
  });
}

function digestOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
