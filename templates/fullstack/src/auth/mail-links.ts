// Links in mails, each for one purpose: a link works once, and for a while.
import type { Context } from 'fw';
import { OneTimeTokens } from 'fw/accounts';
import { SqlTokenStore } from 'fw/kysely';
import type { Db } from '../database/database.ts';
import { servicesOf } from '../services.ts';

const MINUTE = 60;

/** The pages of the links, with how many seconds they work. */
const lifetimes = { 'reset-password': 30 * MINUTE, 'confirm-email': 24 * 60 * MINUTE };

export interface LinkMail {
  purpose: keyof typeof lifetimes;
  userId: string;
  email: string;
  subject: string;
  text: (link: string) => string;
}

/** The secrets of the links, with the addresses that they were sent to. */
export function linkTokens(db: Db, purpose: LinkMail['purpose']): OneTimeTokens {
  return new OneTimeTokens({ store: new SqlTokenStore(db), purpose, lifetimeSeconds: lifetimes[purpose] });
}

export async function sendLink(ctx: Context, mail: LinkMail): Promise<void> {
  const { purpose, userId, email, subject, text } = mail;
  const { mail: mailer, publicUrl } = servicesOf(ctx);
  const token = await linkTokens(ctx.db(), purpose).issue(userId, email);
  // Browsers send what is behind # to nobody, so that no log has it.
  await mailer.send({ to: email, subject, text: text(`${new URL(`/${purpose}`, publicUrl).href}#${token}`) });
}
