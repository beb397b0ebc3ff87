// Masks the secrets of a request where it leaves this process, and puts them back into one that is sent again.
import type { RawField } from '../../process/records.js';
import { MASKED } from '../../process/secret-names.js';
import type { HeaderField } from './protocol.js';
import { type Secrets, unsaid } from './secrets.js';

const COOKIES = /^cookie$/i;
const SET_COOKIE = /^set-cookie$/i;
/** Beside the names that are secret everywhere. */
const SECRET_FIELDS = /^(?:x-auth|auth)$/i;

export function maskFields(fields: readonly RawField[], secrets: Secrets = unsaid): HeaderField[] {
  return fields.map(([name, value]) => [name, maskField(name, value, secrets)]);
}

/** The value of a header field as it is shown. */
export function maskField(name: string, value: string, secrets: Secrets = unsaid): string {
  if (COOKIES.test(name)) return value.split(';').map(maskCookie).join(';');
  if (SET_COOKIE.test(name)) {
    const [pair = '', ...attributes] = value.split(';');
    return [maskCookie(pair), ...attributes].join(';');
  }
  if (SECRET_FIELDS.test(name) || secrets.isHeader(name)) return MASKED;
  const shown = secrets.hideMembers(name, value);
  if (/^(?:referer|location|content-location)$/i.test(name)) return maskTarget(shown, secrets);
  return secrets.isValue(shown) ? MASKED : shown;
}

/** A target, or a URL, with the secrets of its query masked. */
export function maskTarget(target: string, secrets: Secrets = unsaid): string {
  const at = target.indexOf('?');
  if (at === -1) return target;
  const end = target.indexOf('#', at);
  const query = target.slice(at + 1, end === -1 ? undefined : end);
  const shown = maskQuery(query, target.slice(0, at), secrets);
  return `${target.slice(0, at + 1)}${shown}${end === -1 ? '' : target.slice(end)}`;
}

/** @param address in front of the query */
export function maskQuery(query: string, address: string, secrets: Secrets): string {
  const path = address.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '');
  return maskPairs(query, secrets, (name) => secrets.isParameter(name, path));
}

export function maskForm(text: string, secrets: Secrets = unsaid): string {
  return maskPairs(text, secrets, (name) => secrets.isField(name));
}

/** `a=b&token=••••••`: a query, or a form. */
function maskPairs(text: string, secrets: Secrets, isSecret: (name: string) => boolean): string {
  return text
    .split('&')
    .map((pair) => {
      const at = pair.indexOf('=');
      if (at === -1) return pair;
      const isMasked = isSecret(decoded(pair.slice(0, at))) || secrets.isValue(decoded(pair.slice(at + 1)));
      return isMasked ? `${pair.slice(0, at + 1)}${MASKED}` : pair;
    })
    .join('&');
}

/** The text of a body as it is shown. */
export function maskBody(text: string, type: string, secrets: Secrets = unsaid): string {
  if (/^application\/x-www-form-urlencoded/i.test(type)) return maskForm(text, secrets);
  if (/^multipart\//i.test(type)) return maskParts(text, type, secrets);
  return isJson(text, type) ? maskJson(text, secrets) : secrets.hide(text);
}

function isJson(text: string, type: string): boolean {
  return /json/i.test(type) || /^[ \t\r\n]*[{[]/.test(text);
}

/** The parts of a multipart form; what stands around them (RFC 2046, section 5.1.1) is not a part. */
function maskParts(text: string, type: string, secrets: Secrets): string {
  const given = /;[ \t]*boundary=(?:"([^"\r\n]{1,200})"|([^ \t;"\r\n]{1,200}))/i.exec(type);
  const boundary = given?.[1] ?? given?.[2] ?? /^--([^\r\n]{1,200})/.exec(text)?.[1];
  if (boundary === undefined) return secrets.hide(text);
  const delimiter = `\r\n--${boundary}`;
  // The first delimiter may be at the start.
  return `\r\n${text}`
    .split(delimiter)
    .map((part, index) => (index === 0 ? secrets.hide(part) : maskPart(part, secrets)))
    .join(delimiter)
    .slice(2);
}

/** In order, so that what looks like one within quotes is none. */
const PARAMETERS = /;[ \t]*([\w*-]+)=(?:"((?:\\"|[^"])*)"|([^ \t;"\r\n]*))/g;
/** In characters. Unclosed quotes in longer ones would take long to read. */
const LONGEST_HEAD = 8192;

function maskPart(part: string, secrets: Secrets): string {
  const end = part.indexOf('\r\n\r\n');
  if (end === -1) return secrets.hide(part);
  const head = part.slice(0, end);
  const content = part.slice(end + 4);
  const names = [...head.slice(0, LONGEST_HEAD).matchAll(PARAMETERS)].flatMap(
    ([, key = '', quoted, plain]) => (key.toLowerCase() === 'name' ? [quoted ?? plain ?? ''] : []),
  );
  const isSecret = names.some((name) => secrets.isField(name)) || head.length > LONGEST_HEAD;
  if (isSecret || secrets.isValue(content)) return `${head}\r\n\r\n${MASKED}`;
  const type = /^content-type:([^\r\n]*)/im.exec(head)?.[1] ?? '';
  return `${head}\r\n\r\n${isJson(content, type) ? maskJson(content, secrets) : content}`;
}

/** One without a name is a value alone (RFC 6265bis, section 5.6). */
function maskCookie(pair: string): string {
  const at = pair.indexOf('=');
  if (at !== -1) return `${pair.slice(0, at + 1)}${MASKED}`;
  return /^[ \t]*$/.test(pair) ? pair : pair.replace(/[^ \t].*$/, MASKED);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

// One token: a string, which may be cut off; a bracket or mark; anything else up to one of those.
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?$)|[{}[\],:]|[^\s{}[\],:"]+/gs;

/** What stands for a secret in JSON. */
const maskedText = JSON.stringify(MASKED);

/** Calls `replace` for every scalar that is a secret, or stands below a secret name; the text with what it returns. */
export function replaceSecrets(
  text: string,
  secrets: Secrets,
  replace: (value: string, index: number) => string,
): string {
  let result = '';
  let done = 0;
  let found = 0;
  /** How many brackets are open, and around how many the secret is. */
  let depth = 0;
  let secretDepth: number | undefined;
  /** The scalar before this token: a name, if a colon follows, however far. */
  let last: { readonly token: string; readonly index: number } | undefined;
  let isValue = false;
  const endScalar = (): void => {
    if (last !== undefined && (secretDepth !== undefined || isSecretScalar(last.token, secrets))) {
      result += text.slice(done, last.index) + replace(last.token, found);
      done = last.index + last.token.length;
      found += 1;
    }
    last = undefined;
  };
  for (const { 0: token, index } of text.matchAll(TOKENS)) {
    if (token === ':') {
      const isSecret = last !== undefined && !isValue && secrets.isField(textOf(last.token));
      if (isSecret) secretDepth ??= depth;
      if (isValue) endScalar();
      last = undefined;
      isValue = true;
      continue;
    }
    endScalar();
    if (token === '{' || token === '[') {
      depth += 1;
      isValue = token === '[';
    } else if (token === '}' || token === ']' || token === ',') {
      if (token !== ',') depth -= 1;
      if (secretDepth !== undefined && depth <= secretDepth) secretDepth = undefined;
      // In an array, values follow each other; a name is seen by the colon behind it.
      isValue = false;
    } else {
      last = { token, index };
      if (isValue) endScalar();
      isValue = false;
    }
  }
  endScalar();
  return result + text.slice(done);
}

export function maskJson(text: string, secrets: Secrets = unsaid): string {
  return replaceSecrets(text, secrets, () => maskedText);
}

/** Also what is masked already, in a text that comes back. */
function isSecretScalar(token: string, secrets: Secrets): boolean {
  return token === maskedText || secrets.isValue(textOf(token));
}

function textOf(token: string): string {
  try {
    return String(JSON.parse(token));
  } catch {
    return token.startsWith('"') ? token.slice(1) : token;
  }
}
