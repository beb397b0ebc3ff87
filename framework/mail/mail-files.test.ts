// The text of mails, as mail programs read it.
import { describe, expect, it } from 'vitest';
import type { CheckedMail } from './mail.js';
import { mailMessage } from './mail-files.js';

const usual: CheckedMail = {
  from: { name: 'Lists', address: 'lists@example.org' },
  to: [{ name: '', address: 'ada@example.org' }],
  subject: 'Welcome',
  text: 'Hello',
};
const date = new Date('2026-11-27T08:05:09Z');
const made = (more: Partial<CheckedMail> = {}): string => mailMessage({ ...usual, ...more }, date);
const headOf = (text: string): string => text.slice(0, text.indexOf('\r\n\r\n'));
const bodyOf = (text: string): string => text.slice(text.indexOf('\r\n\r\n') + 4);

/** As RFC 2047 says, after the lines are put together. */
function decodedWords(text: string): string {
  return text
    .replaceAll('\r\n ', ' ')
    .replace(/\?= =\?/g, '?==?')
    .replace(/=\?utf-8\?B\?([^?]*)\?=/g, (_, word: string) => Buffer.from(word, 'base64').toString());
}

/** As RFC 2045 says. */
function decodedQuotes(text: string): string {
  const bytes = text
    .replaceAll('=\r\n', '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}

describe('a mail as a file', () => {
  it('is plain where it can be', () => {
    expect(made({ replyTo: { name: 'O\\K', address: 'ok@example.org' } })).toMatch(
      /^Date: Fri, 27 Nov 2026 08:05:09 \+0000\r\nFrom: "Lists" <lists@example\.org>\r\nTo: ada@example\.org\r\nReply-To: "O\\\\K" <ok@example\.org>\r\nSubject: Welcome\r\nMessage-ID: <[\w-]{36}@example\.org>\r\nMIME-Version: 1\.0\r\nContent-Type: text\/plain; charset=utf-8\r\nContent-Transfer-Encoding: 7bit\r\n\r\nHello\r\n$/,
    );
  });

  it('keeps links in one piece', () => {
    const link = `https://lists.example/verify?token=${'a'.repeat(300)}`;
    expect(bodyOf(made({ text: `Open\n${link}\n` }))).toBe(`Open\r\n${link}\r\n\r\n`);
  });

  it.each([
    'Grüße an Zoë',
    '日本語の件名'.repeat(12),
    '👩‍👩‍👧 '.repeat(20),
    'x'.repeat(61),
    'Not =?utf-8?B?QQ==?=',
  ])('has the subject %j in encoded words of whole characters, on lines that fit', (subject) => {
    const head = headOf(made({ subject, to: [{ name: subject.slice(0, 20), address: 'ada@example.org' }] }));
    for (const line of head.split('\r\n')) expect(line.length).toBeLessThanOrEqual(76);
    for (const [word] of head.matchAll(/=\?utf-8\?B\?[^?]*\?=/g)) {
      expect(word.length).toBeLessThanOrEqual(75);
      expect(decodedWords(word)).not.toContain('\ufffd');
    }
    const field = /\r\nSubject: ((?:[^\r]|\r\n )*)/.exec(head)?.[1] ?? '';
    expect(decodedWords(field)).toBe(subject);
    expect(field).toMatch(/^[ -~\r\n]*$/);
  });

  it.each([
    'Grüße\nZoë = 1\n',
    `${'ä'.repeat(200)} end`,
    'space \ntab\t\nü',
    `${'x'.repeat(999)}`,
    'a\rb\r\nc',
    'nul \u0000 and \u007f',
  ])('has the text %j quoted, on lines of 76 characters', (text) => {
    const message = made({ text });
    expect(message).toMatch(text.startsWith('a\r') ? /: 7bit\r\n/ : /: quoted-printable\r\n/);
    const body = bodyOf(message).replace(/\r\n$/, '');
    for (const line of body.split('\r\n')) {
      expect(line.length).toBeLessThanOrEqual(76);
      expect(line).toMatch(/^[\t -~]*$/);
      if (!text.startsWith('a\r')) expect(line).not.toMatch(/[\t ]$/);
    }
    expect(decodedQuotes(body)).toBe(text.replace(/\r\n?|\n/g, '\r\n'));
  });

  it.each([
    ['x'.repeat(60), 'x'.repeat(60)],
    ['x'.repeat(61), `=?utf-8?B?${'eHh4'.repeat(13)}?=\r\n =?utf-8?B?${'eHh4'.repeat(7)}eA==?=`],
    ['é', '=?utf-8?B?w6k=?='],
    ['A =?', '=?utf-8?B?QSA9Pw==?='],
    ['é'.repeat(20), `=?utf-8?B?${'w6nDqcOp'.repeat(6)}w6k=?=\r\n =?utf-8?B?w6k=?=`],
  ])('has the subject %j as %j', (subject, written) => {
    expect(headOf(made({ subject }))).toContain(`\r\nSubject: ${written}\r\nMessage-ID: `);
  });

  it('has a name that needs encoded words on a line before its address', () => {
    const from = { name: 'Zoë', address: 'zoe@example.org' };
    expect(headOf(made({ from }))).toContain('\r\nFrom: =?utf-8?B?Wm/Dqw==?=\r\n <zoe@example.org>\r\nTo: ');
  });

  it('has no field for answers without an address for them', () => {
    expect(headOf(made())).toMatch(/\r\nTo: ada@example\.org\r\nSubject: /);
  });

  it.each([
    ['x'.repeat(998), 'x'.repeat(998)],
    [`a\n${'x'.repeat(999)}`, `a\r\n${`${'x'.repeat(75)}=\r\n`.repeat(13)}${'x'.repeat(24)}`],
    ['é = 1', '=C3=A9 =3D 1'],
    ['é \n\t\na\tb', '=C3=A9=20\r\n=09\r\na\tb'],
    [`é${'x'.repeat(69)}`, `=C3=A9${'x'.repeat(69)}`],
    [`é${'x'.repeat(70)}`, `=C3=A9${'x'.repeat(69)}=\r\nx`],
    ['é\u007f!~', '=C3=A9=7F!~'],
  ])('has the text %j as %j', (text, written) => {
    expect(bodyOf(made({ text }))).toBe(`${written}\r\n`);
  });

  it('has the text before the HTML, for programs without it', () => {
    const message = made({ html: '<p>Grüße</p>' });
    const boundary = /multipart\/alternative; boundary="([^"]*)"/.exec(headOf(message))?.[1] ?? '';
    const [before, plain, html, after] = bodyOf(message).split(`--${boundary}`);
    expect(before).toBe('');
    expect(plain).toMatch(/^\r\nContent-Type: text\/plain; [\s\S]*\r\n\r\nHello\r\n$/);
    expect(html).toMatch(/^\r\nContent-Type: text\/html; [\s\S]*\r\n\r\n<p>Gr=C3=BC=C3=9Fe<\/p>\r\n$/);
    expect(after).toBe('--\r\n');
  });
});
