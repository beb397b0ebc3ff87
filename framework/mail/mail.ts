// Mail: what a mail consists of, checked before anything is sent.

import { nearest } from '../options/nearest.js';
import { kindOf, shown } from '../options/shown.js';
import { MailError } from './mail-error.js';

/** An address, and the name that readers see. */
export interface MailAddress {
  /** Empty for none. */
  name: string;
  /** Such as `ada@example.org`. */
  address: string;
}

/** A mail as an application writes it. Addresses are `ada@example.org` or `Ada <ada@example.org>`. */
export interface Mail {
  /** All of a list see each other. */
  to: string | MailAddress | readonly (string | MailAddress)[];
  subject: string;
  /** What readers without HTML see. */
  text: string;
  html?: string | undefined;
  /** Instead of that of the mailer. */
  from?: string | MailAddress | undefined;
  /** Where answers go, if not to the sender. */
  replyTo?: string | MailAddress | undefined;
}

/** A mail that was checked, as a transport gets it. */
export interface CheckedMail {
  from: MailAddress;
  /** At least one. */
  to: MailAddress[];
  subject: string;
  text: string;
  html?: string;
  replyTo?: MailAddress;
}

const MEMBERS = ['to', 'subject', 'text', 'html', 'from', 'replyTo'];

/** All that could end a line of a header, or mislead a terminal that prints it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;
/** Of RFC 5321, section 4.5.3.1: the local part has 64 bytes at most, all of it 254. Quoted local parts are refused. */
const LOCAL = /^[^\s@<>()[\]\\,;:"]{1,64}$/;
const DOMAIN =
  /^(?=.{1,253}$)[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?(?:\.[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?)*$/u;
const LONGEST_ADDRESS = 254;
const LONGEST_NAME = 200;
/** Readers cut longer ones, and a header line has 998 characters at most. */
const LONGEST_SUBJECT = 900;

/** The parts of an address; undefined if it is not exactly one. */
export function parseAddress(given: unknown): MailAddress | undefined {
  if (typeof given === 'string') return named(...partsOf(given));
  if (typeof given !== 'object' || given === null) return undefined;
  const { name = '', address } = given as Partial<MailAddress>;
  return typeof name === 'string' && typeof address === 'string' ? named(name, address) : undefined;
}

/** `Ada <ada@example.org>` → the name and the address. */
function partsOf(given: string): [name: string, address: string] {
  const start = given.endsWith('>') ? given.lastIndexOf('<') : -1;
  if (start === -1) return ['', given];
  const name = given.slice(0, start).trim();
  const isQuoted = name.length > 1 && name.startsWith('"') && name.endsWith('"');
  return [isQuoted ? name.slice(1, -1) : name, given.slice(start + 1, -1)];
}

function named(name: string, address: string): MailAddress | undefined {
  if (name.length > LONGEST_NAME || address.length > LONGEST_ADDRESS) return undefined;
  if (CONTROL.test(name) || CONTROL.test(address) || /[<>"]/.test(name)) return undefined;
  const at = address.lastIndexOf('@');
  if (at === -1 || !LOCAL.test(address.slice(0, at)) || !DOMAIN.test(address.slice(at + 1))) return undefined;
  const local = address.slice(0, at);
  const isDotted = local.startsWith('.') || local.endsWith('.') || local.includes('..');
  return isDotted ? undefined : { name, address };
}

/** @throws MailError that names what is wrong */
export function checkedMail(given: Mail, from: MailAddress): CheckedMail {
  if (typeof given !== 'object' || given === null) {
    throw invalid(`a mail is an object such as { to, subject, text }, got ${kindOf(given)}`);
  }
  for (const name of Object.keys(given)) {
    if (MEMBERS.includes(name)) continue;
    const meant = nearest(name, MEMBERS);
    throw invalid(
      `a mail has no ${shown(name)}; ${meant ? `did you mean '${meant}'? ` : ''}there are ${MEMBERS.join(', ')}`,
    );
  }
  const { to, subject, text, html, replyTo } = given;
  const all = Array.isArray(to) ? (to as unknown[]) : [to];
  if (all.length === 0) throw invalid('nobody would get the mail: to is an empty list');
  return {
    from: given.from === undefined ? from : checkedAddress('from', given.from),
    to: all.map((one, index) => checkedAddress(Array.isArray(to) ? `to[${index}]` : 'to', one)),
    subject: checkedSubject(subject),
    text: checkedText('text', text),
    ...(html !== undefined && { html: checkedText('html', html) }),
    ...(replyTo !== undefined && { replyTo: checkedAddress('replyTo', replyTo) }),
  };
}

function checkedAddress(member: string, given: unknown): MailAddress {
  const address = parseAddress(given);
  if (address !== undefined) return address;
  const text = typeof given === 'object' && given !== null ? (given as Partial<MailAddress>).address : given;
  throw invalid(
    `${member} is ${shown(text)}, which is not one address; write 'ada@example.org' or 'Ada <ada@example.org>', and several as a list`,
  );
}

function checkedSubject(subject: unknown): string {
  if (typeof subject !== 'string' || subject.trim() === '') {
    throw invalid(
      `the subject is ${typeof subject === 'string' ? 'empty' : kindOf(subject)}; give a line of text`,
    );
  }
  if (CONTROL.test(subject))
    throw invalid('the subject has a line break or another control character; give one line of text');
  if (subject.length > LONGEST_SUBJECT)
    throw invalid(`the subject has more than ${LONGEST_SUBJECT} characters`);
  return subject;
}

function checkedText(member: string, value: unknown): string {
  if (typeof value === 'string' && value !== '') return value;
  throw invalid(`the ${member} is ${kindOf(value)}; give a text`);
}

function invalid(problem: string): MailError {
  return new MailError('FW_MAIL_INVALID', `the mail was not sent: ${problem}`);
}
