// Mails by transports, among them nodemailer with a mail server, and without one; and what is refused.
import diagnostics from 'node:diagnostics_channel';
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type CheckedMail, type Mail, MailError, type MailTransport, mailer } from './index.js';
import type { MailMessage } from './mail-channel.js';

const from = 'Lists <lists@example.org>';
const usual = { to: 'ada@example.org', subject: 'Welcome', text: 'Hello' };
const failing = (error: unknown): MailTransport => ({ sendMail: () => Promise.reject(error) });

/** An address of so many characters. */
const addressOf = (length: number): string => {
  const domain = `${'x'.repeat(60)}.`.repeat(4);
  return `${'a'.repeat(length - domain.length - 4)}@${domain}org`;
};

async function problem(work: Promise<unknown>): Promise<MailError> {
  const error = await work.catch((cause: unknown) => cause);
  expect(error).toBeInstanceOf(MailError);
  return error as MailError;
}

/** What a transport gets. */
async function given(mail: Mail): Promise<CheckedMail> {
  const sendMail = vi.fn(async (_: CheckedMail) => undefined);
  await mailer({ from, transport: { sendMail } }).send(mail);
  return sendMail.mock.calls[0]?.[0] as CheckedMail;
}

describe('a mail', () => {
  it('reaches the transport with parsed addresses', async () => {
    expect(await given({ ...usual, html: '<p>Hello</p>', replyTo: 'Bob <bob@example.org>' })).toEqual({
      from: { name: 'Lists', address: 'lists@example.org' },
      to: [{ name: '', address: 'ada@example.org' }],
      subject: 'Welcome',
      text: 'Hello',
      html: '<p>Hello</p>',
      replyTo: { name: 'Bob', address: 'bob@example.org' },
    });
    const to = ['"Doe, Jane" <jane@example.org>', { name: 'Zoë', address: 'zoe+x@büro.example' }];
    const own = await given({ ...usual, to, from: 'no-reply@example.org', html: undefined });
    expect(own.to).toEqual([{ name: 'Doe, Jane', address: 'jane@example.org' }, to[1]]);
    expect(own.from).toEqual({ name: '', address: 'no-reply@example.org' });
    expect(own).not.toHaveProperty('html');
  });

  it.each<[string, object, string]>([
    ['an empty list', { to: [] }, 'nobody would get the mail'],
    ['no recipient', { to: undefined }, 'to is undefined'],
    ['an empty recipient', { to: '' }, "to is ''"],
    [
      'two in one text',
      { to: 'a@x.example, b@x.example' },
      "to is 'a@x.example, b@x.example', which is not one",
    ],
    ['two by a semicolon', { to: 'a@x.example;b@x.example' }, 'which is not one address'],
    ['no @', { to: ['ada@example.org', 'ada'] }, "to[1] is 'ada'"],
    ['a quoted local part', { to: '"a@evil.example x"@example.org' }, 'which is not one address'],
    ['a comment', { to: 'ada(x)@example.org' }, 'which is not one address'],
    ['two dots', { to: 'a..b@example.org' }, 'which is not one address'],
    ['a host that begins with -', { to: 'ada@-x.example' }, 'which is not one address'],
    ['a long address', { to: `ada@${'x'.repeat(250)}.example` }, 'which is not one address'],
    ['a line break in it', { to: 'ada@example.org\r\nBcc: b@x.example' }, 'to is '],
    ['a line break in a name', { to: 'Ada\nBcc: b@x.example <ada@example.org>' }, 'to is '],
    ['a name with <', { to: { name: 'a <b', address: 'ada@example.org' } }, 'which is not one address'],
    ['a line break in the sender', { from: 'a@x.example\nX: y' }, 'from is '],
    ['a malformed answer address', { replyTo: 'nobody' }, "replyTo is 'nobody'"],
    ['a line break in the subject', { subject: 'Hi\r\nBcc: b@x.example' }, 'the subject has a line break'],
    ['an empty subject', { subject: ' ' }, 'the subject is empty'],
    ['a long subject', { subject: 'x'.repeat(901) }, 'more than 900 characters'],
    ['no text', { text: undefined, html: '<p>x</p>' }, 'the text is undefined'],
    ['HTML that is not a text', { html: { path: '/etc/passwd' } }, 'the html is an object'],
    ['an unknown member', { sujet: 'x' }, "a mail has no 'sujet'; did you mean 'subject'?"],
    ['null for the recipient', { to: null }, 'to is null, which is not one address'],
    ['an object without an address', { to: { name: 'Ada' } }, 'to is undefined, which is not one address'],
    ['a number for the address', { to: { address: 5 } }, 'to is 5, which is not one address'],
    ['a number for the name', { to: { name: 5, address: 'ada@example.org' } }, 'which is not one address'],
    ['a dot at the start', { to: '.ada@example.org' }, 'which is not one address'],
    ['a dot before the @', { to: 'ada.@example.org' }, 'which is not one address'],
    ['a quote at the start of a name', { to: '"Ada <ada@example.org>' }, 'which is not one address'],
    ['a quote at the end of a name', { to: 'Ada" <ada@example.org>' }, 'which is not one address'],
    ['a quote for a name', { to: '" <ada@example.org>' }, 'which is not one address'],
    ['a name of 201', { to: { name: 'x'.repeat(201), address: 'ada@example.org' } }, 'is not one address'],
    ['an address of 255', { to: addressOf(255) }, 'which is not one address'],
    ['a number for the subject', { subject: 5 }, 'the subject is a number; give a line of text'],
    ['an empty text', { text: '' }, 'the text is empty; give a text'],
  ])('with %s is refused', async (_, more, message) => {
    const sendMail = vi.fn();
    const mail = mailer({ from, transport: { sendMail } });
    const error = await problem(mail.send({ ...usual, ...more } as Mail));
    expect(error.code).toBe('FW_MAIL_INVALID');
    expect(error.message).toContain(message);
    expect(error.message).not.toMatch(/[\r\n]/);
    expect(sendMail).not.toHaveBeenCalled();
  });
});

describe('what is not a mail', () => {
  it.each([
    [null, 'null'],
    [undefined, 'undefined'],
    ['Hello', 'a string'],
  ])('%j is refused', async (mail, kind) => {
    const error = await problem(mailer({ from, transport: failing('unused') }).send(mail as never));
    expect(error.code).toBe('FW_MAIL_INVALID');
    expect(error.message).toBe(
      `the mail was not sent: a mail is an object such as { to, subject, text }, got ${kind}`,
    );
  });
});

describe('the longest', () => {
  it('name, address and subject are taken', async () => {
    const to = [{ name: 'x'.repeat(200), address: addressOf(254) }];
    const subject = 'x'.repeat(900);
    expect(await given({ ...usual, to, subject })).toMatchObject({ to, subject });
  });
});

describe('a transport', () => {
  it('that fails is the cause, and its words are not in the message', async () => {
    const cause = Object.assign(new Error('535 user:hunter2@smtp.example'), {
      code: 'EAUTH',
      responseCode: 535,
    });
    const error = await problem(mailer({ from, transport: failing(cause) }).send(usual));
    expect(error).toMatchObject({ code: 'FW_MAIL_FAILED', cause });
    expect(error.message).toBe('the mail was not sent: the transport failed (EAUTH, status 535)');
    const odd = Object.assign(new Error('x'), { code: 'smtp://user:hunter2@x' });
    expect((await problem(mailer({ from, transport: failing(odd) }).send(usual))).message).not.toContain(
      'hunter2',
    );
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    expect((await problem(mailer({ from, transport: failing(proxy) }).send(usual))).code).toBe(
      'FW_MAIL_FAILED',
    );
    expect((await problem(mailer({ from, transport: failing(undefined) }).send(usual))).code).toBe(
      'FW_MAIL_FAILED',
    );
    const throwing = {
      sendMail: () => {
        throw cause;
      },
    };
    expect(await problem(mailer({ from, transport: throwing }).send(usual))).toMatchObject({ cause });
  });

  it('that takes too long is not waited for, and its failure ends no process', async () => {
    let fail: (error: Error) => void = () => {};
    const transport = {
      sendMail: () =>
        new Promise((_, reject) => {
          fail = reject;
        }),
    };
    const error = await problem(mailer({ from, transport, timeout: 5 }).send(usual));
    expect(error.code).toBe('FW_MAIL_TIMEOUT');
    expect(error.message).toContain('within 5 ms');
    fail(new Error('late'));
  });

  it('that refuses a recipient is an error', async () => {
    const transport = { sendMail: async () => ({ rejected: ['b@x.example'] }) };
    const error = await problem(
      mailer({ from, transport }).send({ ...usual, to: ['a@x.example', 'b@x.example'] }),
    );
    expect(error).toMatchObject({ code: 'FW_MAIL_FAILED', cause: { rejected: ['b@x.example'] } });
    expect(error.message).toContain('refused 1 of 2 recipients');
  });

  it.each<[object, string]>([
    [{ code: 'EAUTH' }, ' (EAUTH)'],
    [{ responseCode: 421 }, ' (status 421)'],
    [{ code: 535, responseCode: '535 user' }, ''],
    [{ code: 'at EAUTH' }, ''],
    [{ code: 'EAUTH user' }, ''],
    [{ code: 'X'.repeat(42) }, ''],
  ])('that fails with %j is told apart by its codes alone', async (codes, reason) => {
    const cause = Object.assign(new Error('x'), codes);
    const error = await problem(mailer({ from, transport: failing(cause) }).send(usual));
    expect(error.message).toBe(`the mail was not sent: the transport failed${reason}`);
  });

  it('leaves no timer behind, whether it has sent the mail or not', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    await mailer({ from, transport: { sendMail: async () => undefined } }).send(usual);
    await problem(mailer({ from, transport: failing('x') }).send(usual));
    expect(vi.getTimerCount()).toBe(0);
  });

  it('needs no close(), and close() needs no transport', async () => {
    await mailer({ from, transport: { sendMail: async () => undefined } }).close();
    await mailer({ from }).close();
  });

  it('is closed after what is being sent, once, and sends nothing afterwards', async () => {
    const events: string[] = [];
    let sent: () => void = () => {};
    const transport = {
      sendMail: () =>
        new Promise<void>((resolve) => {
          sent = resolve;
        }).then(() => events.push('sent')),
      close: () => void events.push('closed'),
    };
    const mail = mailer({ from, transport });
    const sending = mail.send(usual);
    const closing = [mail.close(), mail.close()];
    expect((await problem(mail.send(usual))).code).toBe('FW_MAIL_CLOSED');
    sent();
    await Promise.all([sending, ...closing]);
    expect(events).toEqual(['sent', 'closed']);
  });

  it('may be one of nodemailer', async () => {
    const server = await mailServer();
    const mail = mailer({ from, transport: createTransport(server.url) });
    onTestFinished(() => mail.close());
    await mail.send({ ...usual, to: ['Zoë <zoe@example.org>', 'bob@example.org'], subject: 'Grüße' });
    expect(server.commands).toEqual(
      expect.arrayContaining([
        'MAIL FROM:<lists@example.org>',
        'RCPT TO:<zoe@example.org>',
        'RCPT TO:<bob@example.org>',
      ]),
    );
    expect(server.data()).toContain('Subject: =?UTF-8?Q?Gr=C3=BC=C3=9Fe?=');
    const refused = await problem(mail.send({ ...usual, to: ['bob@example.org', 'nobody@example.org'] }));
    expect(refused.message).toContain('refused 1 of 2 recipients');
    const all = await problem(mail.send({ ...usual, to: 'nobody@example.org' }));
    expect(all.message).toBe('the mail was not sent: the transport failed (EENVELOPE, status 550)');
  });
});

describe('without a transport', () => {
  let cwd: string;
  beforeEach(() => {
    cwd = realpathSync(mkdtempSync(join(tmpdir(), 'fw-mails-')));
    vi.spyOn(process, 'cwd').mockReturnValue(cwd);
  });
  afterEach(() => {
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
    rmSync(cwd, { recursive: true });
  });
  const files = (): string[] => readdirSync(join(cwd, 'node_modules/.fw/mails')).sort();

  it.each(['', undefined, null, false] as const)(
    '(%j), a mail is a file in development',
    async (transport) => {
      vi.stubEnv('NODE_ENV', 'development');
      const log = vi.spyOn(console, 'log').mockReturnValue();
      await mailer({ from, ...(transport !== undefined && { transport }) }).send(usual);
      const [file = ''] = files();
      const place = join(cwd, 'node_modules/.fw/mails', file);
      expect(readFileSync(place, 'utf8')).toMatch(
        /^Date: [\s\S]*\r\nTo: ada@example\.org\r\n[\s\S]*\r\n\r\nHello\r\n$/,
      );
      if (process.platform !== 'win32') expect(statSync(place).mode & 0o777).toBe(0o600);
      expect(log.mock.calls).toEqual([
        [`Mail to ada@example.org: Welcome\n  node_modules/.fw/mails/${file}`],
      ]);
    },
  );

  it('the last 100 files are kept', async () => {
    vi.stubEnv('NODE_ENV', 'development');
    vi.spyOn(console, 'log').mockReturnValue();
    const mail = mailer({ from });
    await mail.send(usual);
    const [oldest] = files();
    const other = join(cwd, 'node_modules/.fw/mails/0-other.txt');
    writeFileSync(other, '');
    for (let count = 0; count < 100; count++) await mail.send(usual);
    rmSync(other);
    expect(files()).toHaveLength(100);
    expect(files()).not.toContain(oldest);
  });

  it('files are named in the order of their mails, those of one millisecond too', async () => {
    vi.stubEnv('NODE_ENV', 'development');
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-27T08:05:09Z') });
    onTestFinished(() => void vi.useRealTimers());
    const log = vi.spyOn(console, 'log').mockReturnValue();
    const mail = mailer({ from });
    for (let count = 0; count < 12; count++) await mail.send(usual);
    expect(log.mock.calls.map(([line]) => /[^/]*$/.exec(line as string)?.[0])).toEqual(files());
    for (const file of files()) expect(file).toMatch(/^2026-11-27T08-05-09-000Z-\d{6}-[0-9a-f]{8}\.eml$/);
  });

  it.each(['production', 'test', ''])(
    'a mail is refused where NODE_ENV is %j, and nothing is printed',
    async (value) => {
      vi.stubEnv('NODE_ENV', value);
      const log = vi.spyOn(console, 'log');
      const error = await problem(mailer({ from }).send({ ...usual, text: 'https://x.example/?token=abc' }));
      expect(error.code).toBe('FW_MAIL_NO_TRANSPORT');
      expect(error.message).toContain('createTransport(SMTP_URL) of nodemailer');
      expect(error.message).not.toContain('abc');
      expect(readdirSync(cwd)).toEqual([]);
      expect(log).not.toHaveBeenCalled();
    },
  );
});

describe('the channel fw:mail', () => {
  const messages: MailMessage[] = [];
  const hear = (message: unknown): void => void messages.push(message as MailMessage);
  beforeEach(() => {
    messages.length = 0;
    diagnostics.subscribe('fw:mail', hear);
  });
  afterEach(() => void diagnostics.unsubscribe('fw:mail', hear));

  it('has each mail when it is sent, and how it ended', async () => {
    const sending = mailer({ from, transport: { sendMail: async () => undefined } }).send(usual);
    expect(messages).toMatchObject([{ mail: { subject: 'Welcome' } }]);
    await sending;
    const error = await problem(mailer({ from, transport: failing(new Error('x')) }).send(usual));
    expect(messages.map(({ outcome }) => outcome)).toEqual([
      undefined,
      { state: 'sent' },
      undefined,
      { state: 'failed', error },
    ]);
    expect(messages[1]?.mail).toBe(messages[0]?.mail);
  });
});

describe('mailer', () => {
  it('refuses options in words that do not have the password of an address', () => {
    const wrong = (options: object) => () => mailer(options as never);
    expect(wrong({})).toThrow('mailer: from is missing; give an address');
    expect(wrong({ from: 'nobody' })).toThrow("mailer: from is 'nobody'; give an address");
    expect(wrong({ from, transport: 'smtp://u:hunter2@x' })).toThrow(
      /^mailer: transport is a string; give a transport/,
    );
    expect(wrong({ from, timeout: 0 })).toThrow('mailer: timeout is 0');
    const withCode = (code: string) => expect.objectContaining({ code });
    expect(wrong({ from: 'nobody' })).toThrow(withCode('FW_OPTION_FORM'));
    expect(wrong({ from: { address: 5 } })).toThrow(withCode('FW_OPTION_TYPE'));
    expect(wrong({ from, transport: {} })).toThrow(withCode('FW_OPTION_TYPE'));
  });
});

/** Speaks as much SMTP as nodemailer needs; knows nobody@example.org not. */
async function mailServer(): Promise<{ url: string; commands: string[]; data(): string }> {
  const commands: string[] = [];
  let data = '';
  const serve = (socket: Socket): void => {
    let isData = false;
    let rest = '';
    const answer = (line: string): void => void socket.write(`${line}\r\n`);
    answer('220 test');
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      const lines = (rest + chunk).split('\r\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        if (isData && line !== '.') data += `${line}\n`;
        else if (isData) {
          isData = false;
          answer('250 ok');
        } else {
          commands.push(line);
          isData = line === 'DATA';
          answer(isData ? '354 go' : line.includes('nobody@') ? '550 no such user' : '250 ok');
        }
      }
    });
    socket.on('error', () => {});
  };
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    serve(socket);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `smtp://127.0.0.1:${port}`, commands, data: () => data };
}
