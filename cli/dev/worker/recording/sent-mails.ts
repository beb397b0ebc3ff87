// The mails that the app sends, by the diagnostics channel `fw:mail`, for the page about the app.
import diagnostics from 'node:diagnostics_channel';
import type { CheckedMail, MailAddress } from '../../../../framework/mail/mail.js';
import type { MailMessage, MailOutcome } from '../../../../framework/mail/mail-channel.js';
import { describeError } from '../../../process/app-error.js';
import type { RawMail } from '../../../process/records.js';
import { Budget } from './budget.js';
import type { SendNews } from './recorder.js';

/** Of the text and of the HTML, in characters. */
const LONGEST_TEXT = 256 * 1024;

/** @param record the number of the request or the job that runs, which is kept then */
export function watchMails(send: SendNews, record: () => number | undefined): void {
  const begun = new WeakMap<CheckedMail, RawMail>();
  const budget = new Budget();
  let count = 0;
  diagnostics.subscribe('fw:mail', (message) => {
    const { mail, outcome } = message as MailMessage;
    const known = begun.get(mail);
    if (outcome !== undefined) {
      if (known !== undefined) send({ fw: 'mail', mail: { ...known, ...ended(outcome) } });
      return;
    }
    if (!budget.take()) return;
    count += 1;
    const raw = rawMail(mail, count, record());
    begun.set(mail, raw);
    send({ fw: 'mail', mail: raw });
  });
}

function rawMail(mail: CheckedMail, seq: number, record: number | undefined): RawMail {
  const { from, to, replyTo, subject, text, html } = mail;
  const isCut = text.length > LONGEST_TEXT || (html?.length ?? 0) > LONGEST_TEXT;
  return {
    seq,
    ...(record !== undefined && { record }),
    began: Date.now(),
    state: 'sending',
    from: shown(from),
    to: to.map(shown),
    ...(replyTo !== undefined && { replyTo: shown(replyTo) }),
    subject,
    text: text.slice(0, LONGEST_TEXT),
    ...(html !== undefined && { html: html.slice(0, LONGEST_TEXT) }),
    ...(isCut && { isCut }),
  };
}

function ended(outcome: MailOutcome): Pick<RawMail, 'state' | 'file' | 'error'> {
  const { state } = outcome;
  if (state === 'failed') return { state, error: describeError(outcome.error) };
  return state === 'written' ? { state, file: outcome.file } : { state };
}

function shown({ name, address }: MailAddress): string {
  return name === '' ? address : `${name} <${address}>`;
}
