// Mail: without a transport, in development: each mail is a file, and a line in the terminal. The file is the text of the
// mail (RFC 5322, MIME of RFC 2045 to 2047), which mail programs open. Loaded with the first one.
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CheckedMail, MailAddress } from './mail.js';

/** The oldest ones are removed. */
const MOST_FILES = 100;
const FOLDER = 'node_modules/.fw/mails';

/** Of this process. */
let count = 0;

/** @returns the file, relative to the project */
export async function writeMail(mail: CheckedMail): Promise<string> {
  const folder = join(process.cwd(), FOLDER);
  // Links in mails are secrets.
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const now = new Date();
  count += 1;
  // Sorted by name, they are sorted by time; a name of Windows has no colon.
  const time = `${now.toISOString().replace(/[:.]/g, '-')}-${String(count).padStart(6, '0')}`;
  const name = `${time}-${randomBytes(4).toString('hex')}.eml`;
  await writeFile(join(folder, name), mailMessage(mail, now), { mode: 0o600, flag: 'wx' });
  const all = (await readdir(folder)).filter((one) => one.endsWith('.eml')).sort();
  for (const old of all.slice(0, -MOST_FILES)) await rm(join(folder, old), { force: true });
  const file = `${FOLDER}/${name}`;
  console.log(`Mail to ${mail.to.map(({ address }) => address).join(', ')}: ${mail.subject}\n  ${file}`);
  return file;
}

export function mailMessage(mail: CheckedMail, date: Date = new Date()): string {
  const { from, to, replyTo, subject, text, html } = mail;
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1);
  const head = [
    `Date: ${date.toUTCString().replace('GMT', '+0000')}`,
    `From: ${addressText(from)}`,
    `To: ${to.map(addressText).join(',\r\n ')}`,
    ...(replyTo === undefined ? [] : [`Reply-To: ${addressText(replyTo)}`]),
    `Subject: ${headerText(subject)}`,
    `Message-ID: <${randomUUID()}@${domain}>`,
    'MIME-Version: 1.0',
  ];
  const plain = part('text/plain', text);
  if (html === undefined) return lines([...head, ...plain, '']);
  const boundary = `fw-${randomUUID()}`;
  return lines([
    ...head,
    `Content-Type: multipart/alternative; boundary="${boundary}"`,
    '',
    `--${boundary}`,
    ...plain,
    `--${boundary}`,
    ...part('text/html', html),
    `--${boundary}--`,
    '',
  ]);
}

function lines(all: readonly string[]): string {
  return all.join('\r\n');
}

/** Lines longer than this are not sent as they are (RFC 5322, section 2.1.1). */
const LONGEST_LINE = 998;

/** Links stay in one piece where that is allowed, so that they can be copied out of the file. */
function part(type: string, text: string): string[] {
  const body = text.replace(/\r\n?|\n/g, '\r\n');
  const isPlain =
    /^[\t\r\n -~]*$/.test(body) && body.split('\r\n').every(({ length }) => length <= LONGEST_LINE);
  return [
    `Content-Type: ${type}; charset=utf-8`,
    `Content-Transfer-Encoding: ${isPlain ? '7bit' : 'quoted-printable'}`,
    '',
    isPlain ? body : quotedPrintable(body),
  ];
}

/** RFC 2045, section 6.7: lines of 76 characters, with their `=` at the end. */
const QUOTED_LINE = 75;

function quotedPrintable(body: string): string {
  return lines(body.split('\r\n').map(quotedLine));
}

function quotedLine(line: string): string {
  const bytes = Buffer.from(line);
  const folded: string[] = [];
  let current = '';
  for (const [index, byte] of bytes.entries()) {
    const isSpace = byte === 0x20 || byte === 0x09;
    const isLast = index === bytes.length - 1;
    const isLiteral = (byte > 0x20 && byte < 0x7f && byte !== 0x3d) || (isSpace && !isLast);
    const next = isLiteral
      ? String.fromCharCode(byte)
      : `=${byte.toString(16).toUpperCase().padStart(2, '0')}`;
    if (current.length + next.length > QUOTED_LINE) {
      folded.push(`${current}=`);
      current = '';
    }
    current += next;
  }
  return lines([...folded, current]);
}

/** An ASCII text up to this length needs no second line beside the name of the field. */
const SHORT = 60;

function isShortAscii(text: string): boolean {
  return text.length <= SHORT && /^[ -~]*$/.test(text) && !text.includes('=?');
}

function headerText(text: string): string {
  return isShortAscii(text) ? text : encodedWords(text);
}

/** RFC 2047, section 2: a line with such a word has 76 characters at most, and a word whole characters. */
const WORD_BYTES = 39;

function encodedWords(text: string): string {
  const words: string[] = [];
  let current = '';
  for (const character of text) {
    if (Buffer.byteLength(current + character) > WORD_BYTES) {
      words.push(current);
      current = '';
    }
    current += character;
  }
  words.push(current);
  return words.map((word) => `=?utf-8?B?${Buffer.from(word).toString('base64')}?=`).join('\r\n ');
}

function addressText({ name, address }: MailAddress): string {
  if (name === '') return address;
  if (!isShortAscii(name)) return `${encodedWords(name)}\r\n <${address}>`;
  return `"${name.replaceAll('\\', '\\\\')}" <${address}>`;
}
