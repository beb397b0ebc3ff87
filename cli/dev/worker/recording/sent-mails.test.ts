// What the page about the app is told of mails, and how much of it.
import diagnostics from 'node:diagnostics_channel';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { MailMessage } from '../../../../framework/mail/mail-channel.js';
import type { WorkerNews } from '../../../process/messages.js';
import type { RawMail } from '../../../process/records.js';
import { watchMails } from './sent-mails.js';

const told: RawMail[] = [];
const hear = (news: WorkerNews): void => {
  if (news.fw === 'mail') told.push(news.mail);
};
let record: number | undefined;

beforeAll(() => watchMails(hear, () => record));
beforeEach(() => {
  told.length = 0;
  record = undefined;
});

function publish(message: MailMessage): void {
  diagnostics.channel('fw:mail').publish(message);
}
const mail = (text = 'x'): MailMessage['mail'] => ({
  from: { name: '', address: 'lists@example.org' },
  to: [{ name: 'Ada', address: 'ada@example.org' }],
  subject: 'Welcome',
  text,
});

describe('watchMails', () => {
  it('tells a mail and its end under one number, with what sends it', () => {
    record = 5;
    const one = mail();
    publish({ mail: one });
    publish({ mail: one, outcome: { state: 'written', file: 'a.eml' } });
    const begun = { seq: 1, record: 5, from: 'lists@example.org', to: ['Ada <ada@example.org>'], text: 'x' };
    expect(told).toMatchObject([
      { ...begun, state: 'sending' },
      { ...begun, state: 'written', file: 'a.eml' },
    ]);
  });

  it('cuts long texts', () => {
    publish({ mail: { ...mail('x'.repeat(300_000)), html: 'y'.repeat(300_000) } });
    expect(told[0]).toMatchObject({ isCut: true });
    expect([told[0]?.text.length, told[0]?.html?.length]).toEqual([262_144, 262_144]);
    expect(told[0]).not.toHaveProperty('record');
  });

  it('tells no more of a flood than a person can read', () => {
    const many = Array.from({ length: 1000 }, () => mail());
    for (const one of many) publish({ mail: one });
    for (const one of many) publish({ mail: one, outcome: { state: 'sent' } });
    expect(told.length).toBeLessThan(250);
    expect(told.filter(({ state }) => state === 'sent')).toHaveLength(told.length / 2);
  });
});
