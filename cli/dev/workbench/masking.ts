// Masks the secrets of a request where it leaves this process, and puts them back into one that is sent again.
import type { RawField } from '../../process/records.js';
import { maskJson } from './mask-json.js';
import type { HeaderField } from './protocol.js';
import { isSecretName, masked } from './secret-names.js';

const cookies = /^cookie$/i;
const setCookie = /^set-cookie$/i;
const secretFields = /^(?:authorization|proxy-authorization|x-api-key|x-auth|auth)$/i;

export function maskFields(fields: readonly RawField[]): HeaderField[] {
  return fields.map(([name, value]) => [name, maskField(name, value)]);
}

/** The value of a header field as it is shown. */
export function maskField(name: string, value: string): string {
  if (cookies.test(name)) return value.split(';').map(maskPair).join(';');
  if (setCookie.test(name)) {
    const [pair = '', ...attributes] = value.split(';');
    return [maskPair(pair), ...attributes].join(';');
  }
  if (secretFields.test(name) || isSecretName(name)) return masked;
  return /^(?:referer|location|content-location)$/i.test(name) ? maskTarget(value) : value;
}

/** A target, or a URL, with the secrets of its query masked. */
export function maskTarget(target: string): string {
  const at = target.indexOf('?');
  if (at === -1) return target;
  const end = target.indexOf('#', at);
  const query = target.slice(at + 1, end === -1 ? undefined : end);
  return `${target.slice(0, at + 1)}${maskForm(query)}${end === -1 ? '' : target.slice(end)}`;
}

/** `a=b&token=••••••`: a query, or a form. */
export function maskForm(text: string): string {
  return text
    .split('&')
    .map((pair) => (isSecretName(formName(pair)) ? maskPair(pair) : pair))
    .join('&');
}

/** The text of a body as it is shown. */
export function maskBody(text: string, type: string): string {
  if (/^application\/x-www-form-urlencoded/i.test(type)) return maskForm(text);
  if (/^multipart\//i.test(type)) return maskParts(text);
  return /json/i.test(type) || /^[ \t\r\n]*[{[]/.test(text) ? maskJson(text) : text;
}

/** The parts of a multipart form whose name is a secret. */
function maskParts(text: string): string {
  const start = /^--[^\r\n]{1,200}/.exec(text)?.[0];
  if (start === undefined) return text;
  return text
    .split(start)
    .map((part) => {
      const end = part.indexOf('\r\n\r\n');
      const name = /;[ \t]*name="([^"\r\n]*)"/i.exec(part.slice(0, Math.max(end, 0)))?.[1];
      if (name === undefined || !isSecretName(name)) return part;
      return `${part.slice(0, end)}\r\n\r\n${masked}${part.endsWith('\r\n') ? '\r\n' : ''}`;
    })
    .join(start);
}

function maskPair(pair: string): string {
  const at = pair.indexOf('=');
  return at === -1 ? pair : `${pair.slice(0, at + 1)}${masked}`;
}

function formName(pair: string): string {
  const [name = ''] = pair.split('=', 1);
  try {
    return decodeURIComponent(name.replaceAll('+', ' '));
  } catch {
    return name;
  }
}
