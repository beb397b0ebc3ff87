// The mailbox of tests: which mail a call gets, and the links in it.
import { describe, expect, it } from 'vitest';
import { mailer } from '../mail/index.js';
import { TestMailbox } from './index.js';

function opened(): {
  mailbox: TestMailbox;
  send: (to: string, subject: string, text?: string, html?: string) => Promise<void>;
} {
  const mailbox = new TestMailbox();
  const mail = mailer({ from: 'Lists <lists@example.org>', transport: mailbox.transport });
  return { mailbox, send: (to, subject, text = 'x', html) => mail.send({ to, subject, text, html }) };
}

const [ada, bob] = ['ada@example.org', 'bob@example.org'];

describe('TestMailbox', () => {
  it('has all mails', async () => {
    const { mailbox, send } = opened();
    await send('Ada <ada@example.org>', 'Welcome');
    expect(mailbox.mails).toEqual([
      { from: 'lists@example.org', to: [ada], subject: 'Welcome', text: 'x', links: [] },
    ]);
  });

  it('gives a mail as soon as it comes, and not only when the time is over', async () => {
    const { mailbox, send } = opened();
    const [first, second] = [1, 2].map(() => mailbox.waitFor({}, { timeout: 3_600_000 }));
    await send(ada, 'Verify');
    await send(bob, 'Welcome');
    expect((await first)?.subject).toBe('Verify');
    expect((await second)?.subject).toBe('Welcome');
  });

  it('gives each mail once, also one that came before, and waits for the next', async () => {
    const { mailbox, send } = opened();
    await send(ada, 'Verify');
    await send(bob, 'Verify');
    await send(ada, 'Reset your password');
    expect(await mailbox.waitFor({ to: ada })).toMatchObject({ subject: 'Verify' });
    expect(await mailbox.waitFor({ to: ada })).toMatchObject({ subject: 'Reset your password' });
    const next = mailbox.waitFor({ to: ada, subject: /^Bye/g });
    await send(bob, 'Bye');
    await send(ada, 'Bye Ada');
    expect(await next).toMatchObject({ to: [ada], subject: 'Bye Ada' });
    expect(await mailbox.waitFor({ subject: 'Bye' })).toMatchObject({ to: [bob] });
    expect(await mailbox.waitFor()).toMatchObject({ to: [bob], subject: 'Verify' });
  });

  it('says which mails came instead', async () => {
    const { mailbox, send } = opened();
    await expect(mailbox.waitFor({ to: ada }, { timeout: 1 })).rejects.toThrow(
      'no mail to ada@example.org came within 1 ms; there are none',
    );
    await send(bob, 'Welcome');
    await mailbox.waitFor();
    await expect(mailbox.waitFor({ to: bob, subject: 'Reset' }, { timeout: 1 })).rejects.toThrow(
      'no mail to bob@example.org with the subject Reset came within 1 ms; there are:\n  to bob@example.org: Welcome, which a call of waitFor has given',
    );
  });

  it('has the links of the text and of the HTML, each once', async () => {
    const { mailbox, send } = opened();
    const html =
      '<a href="https://x.example/?a=1&amp;b=2">a</a> <a href=\'https://y.example/\'>b</a> <a href="mailto:a@b.c">c</a>';
    await send(ada, 'Links', 'Open https://x.example/?a=1&b=2, or (https://z.example/p).', html);
    expect((await mailbox.waitFor()).links).toEqual([
      'https://x.example/?a=1&b=2',
      'https://z.example/p',
      'https://y.example/',
    ]);
  });

  it('refuses what is not a filter', async () => {
    const { mailbox } = opened();
    await expect(mailbox.waitFor({ too: ada } as never)).rejects.toThrow(
      "no option 'too'; did you mean 'to'?",
    );
    await expect(mailbox.waitFor({ subject: {} } as never)).rejects.toThrow('subject is an object');
  });
});
