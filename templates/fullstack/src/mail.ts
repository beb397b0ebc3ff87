// Mail: sent by the server of SMTP_URL. Without one, `npm run dev` writes mails to files and shows them in the workbench;
// elsewhere sending fails, and nothing is printed: the links in mails are secrets.
import { type Mailer, mailer } from 'fw/mail';
import { createTransport } from 'nodemailer';
import type { Env } from './env.ts';

export type MailSettings = Pick<Env, 'SMTP_URL' | 'MAIL_FROM'>;

export function mailerOf({ SMTP_URL, MAIL_FROM }: MailSettings): Mailer {
  return mailer({ from: MAIL_FROM, transport: SMTP_URL && createTransport(SMTP_URL) });
}
