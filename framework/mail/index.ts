// The public names of `fw/mail`.

export type { CheckedMail, Mail, MailAddress } from './mail.js';
export { MailError, type MailErrorCode } from './mail-error.js';
export { type Mailer, type MailerOptions, type MailTransport, mailer } from './mailer.js';
