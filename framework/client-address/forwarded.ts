// Client address: what proxies wrote into header fields, nearest first.
import { trimBlanks } from '../http/white-space.js';
import type { ForwardedHeader } from './address.js';

/** The address in a field that has one, such as `CF-Connecting-IP`; undefined if it has none or several. */
export function singleAddress(value: string): string | undefined {
  return withoutPort(trimBlanks(value));
}

/**
 * The addresses in a field, the nearest hop first: each proxy appends the address of its own client. They are read
 * from the right, because only there a trusted proxy wrote; undefined is a hop without an address, such as
 * `unknown`.
 */
export function* hopsOf(header: ForwardedHeader, value: string): Generator<string | undefined> {
  const isForwarded = header === 'forwarded';
  for (const element of fromTheRight(value, isForwarded)) {
    const node = isForwarded ? forwardedParameter(element, 'for') : trimBlanks(element);
    yield node === undefined ? undefined : withoutPort(node);
  }
}

/** The members of a list of a field, the last one first. A comma inside quotes is text (RFC 9110, section 5.6.4). */
export function* fromTheRight(list: string, hasQuotes: boolean): Generator<string> {
  let end = list.length;
  let isQuoted = false;
  for (let index = list.length - 1; index >= 0; index -= 1) {
    const character = list[index];
    if (hasQuotes && character === '"' && !isEscaped(list, index)) isQuoted = !isQuoted;
    else if (character === ',' && !isQuoted) {
      yield list.slice(index + 1, end);
      end = index;
    }
  }
  yield list.slice(0, end);
}

function isEscaped(text: string, index: number): boolean {
  let slashes = 0;
  while (text[index - 1 - slashes] === '\\') slashes += 1;
  return slashes % 2 === 1;
}

/** A parameter of an element of `Forwarded` (RFC 7239, section 4): its name is case-insensitive, its value may be quoted. */
export function forwardedParameter(element: string, name: 'for' | 'host' | 'proto'): string | undefined {
  const found = PARAMETERS[name].exec(element);
  return found?.[1]?.replaceAll(/\\(.)/g, '$1') ?? found?.[2];
}

const parameter = (name: string): RegExp =>
  new RegExp(`(?:^|;)[ \\t]*${name}=(?:"((?:[^"\\\\]|\\\\.)*)"|([^ \\t;"]*))[ \\t]*(?=;|$)`, 'i');

const PARAMETERS = { for: parameter('for'), host: parameter('host'), proto: parameter('proto') } as const;

/** RFC 7239, section 6: `192.0.2.43:47011`, `[2001:db8::1]:4711`. Some proxies write ports into X-Forwarded-For too. */
function withoutPort(node: string): string | undefined {
  const bracketed = /^\[([0-9A-Fa-f:.]+)\](?::\w+)?$/.exec(node);
  if (bracketed) return bracketed[1];
  const withPort = /^([\d.]+):\w+$/.exec(node);
  const address = withPort?.[1] ?? node;
  return address === '' ? undefined : address;
}
