// Links in mails, each for one purpose: a link works once, and for a while.
import { createHash, randomBytes } from 'node:crypto';
import type { Context } from 'fw';
import type { Transaction } from 'kysely';
import type { Database } from '../database/database.ts';
import { servicesOf } from '../services.ts';

const MINUTE_MS = 60_000;

/** The pages of the links, with how long they work. */
const lifetimesMs = { 'reset-password': 30 * MINUTE_MS, 'confirm-email': 24 * 60 * MINUTE_MS };

/** Whose link it is, and the address that it was sent to. */
export interface Link {
  userId: string;
  email: string;
}

export interface LinkMail extends Link {
  purpose: keyof typeof lifetimesMs;
  subject: string;
  text: (link: string) => string;
}

export async function sendLink(ctx: Context, mail: LinkMail): Promise<void> {
  const { purpose, userId, email, subject, text } = mail;
  const { mail: mailer, publicUrl } = servicesOf(ctx);
  const token = randomBytes(32).toString('base64url');
  const now = Date.now();
  await ctx.db().deleteFrom('mailLinks').where('expiresAtMs', '<=', now).execute();
  // Only the digest is stored: whoever reads the table cannot use the links.
  const row = { digest: digestOf(token), purpose, userId, email, expiresAtMs: now + lifetimesMs[purpose] };
  await ctx.db().insertInto('mailLinks').values(row).execute();
  // Browsers send what is behind # to nobody, so that no log has it.
  await mailer.send({ to: email, subject, text: text(`${new URL(`/${purpose}`, publicUrl).href}#${token}`) });
}

export async function isLink(ctx: Context, purpose: LinkMail['purpose'], token: string): Promise<boolean> {
  const links = ctx.db().selectFrom('mailLinks').select('digest').where('digest', '=', digestOf(token));
  const living = links.where('purpose', '=', purpose).where('expiresAtMs', '>', Date.now());
  return (await living.executeTakeFirst()) !== undefined;
}

/** Uses a link, and with it up all others of the account. Undefined if it does not work: of two uses at once, one does. */
export function redeemLink(
  ctx: Context,
  purpose: LinkMail['purpose'],
  token: string,
  apply: (trx: Transaction<Database>, link: Link) => Promise<unknown>,
): Promise<Link | undefined> {
  return ctx
    .db()
    .transaction()
    .execute(async (trx) => {
      const link = await trx
        .deleteFrom('mailLinks')
        .where('digest', '=', digestOf(token))
        .where('purpose', '=', purpose)
        .where('expiresAtMs', '>', Date.now())
        .returning(['userId', 'email'])
        .executeTakeFirst();
      if (link === undefined) return undefined;
      await trx.deleteFrom('mailLinks').where('userId', '=', link.userId).execute();
      await apply(trx, link);
      return link;
    });
}

function digestOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
