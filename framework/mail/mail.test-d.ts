// The types of fw/mail: transports of nodemailer fit, and settings that may be empty.
import { createTransport } from 'nodemailer';
import { expectTypeOf, test } from 'vitest';
import { TestMailbox } from '../testing/index.js';
import { type Mail, type Mailer, mailer } from './index.js';

declare const SMTP_URL: string | undefined;
const from = 'lists@example.org';

test('a transport of nodemailer, of a test, and none', () => {
  expectTypeOf(mailer({ from, transport: SMTP_URL && createTransport(SMTP_URL) })).toEqualTypeOf<Mailer>();
  expectTypeOf(
    mailer({ from, transport: createTransport({ host: 'localhost', pool: true }) }),
  ).toEqualTypeOf<Mailer>();
  expectTypeOf(mailer({ from, transport: new TestMailbox().transport })).toEqualTypeOf<Mailer>();
  expectTypeOf(mailer({ from })).toEqualTypeOf<Mailer>();
  // @ts-expect-error the URL alone sends nothing
  mailer({ from, transport: 'smtp://localhost' });
  // @ts-expect-error a mail has a text for readers without HTML
  const mail: Mail = { to: from, subject: 'x', html: '<p>x</p>' };
  void mail;
});
