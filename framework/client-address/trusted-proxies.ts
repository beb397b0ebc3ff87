// Client address: the client behind trusted proxies, and what it has asked for.

import type { RequestSource } from '../http/request-source.js';
import { hostFault } from '../http/request-target.js';
import { trimBlanks } from '../http/white-space.js';
import { formatIp, readAddress } from './address.js';
import { type ForwardedHeader, isForwardedHeader } from './address-field.js';
import { Networks } from './networks.js';
import { peerAddress } from './peer-address.js';

/** The address in a field that has one, such as `CF-Connecting-IP`; undefined if it has none or several. */
function singleAddress(value: string): string | undefined {
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
function* fromTheRight(list: string, hasQuotes: boolean): Generator<string> {
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
function forwardedParameter(element: string, name: 'for' | 'host' | 'proto'): string | undefined {
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

/** What trusted proxies report about a request. */
export interface TrustedProxies {
  /** The client's normalized address; undefined if it is unknown. */
  clientIp(source: RequestSource): string | undefined;
  /** Whether a trusted proxy has sent the request, so that what proxies write into it may be believed. */
  trusts(source: RequestSource): boolean;
  /** Scheme and authority that the client has asked for, such as `https://shop.example`. */
  origin(source: RequestSource): string;
}

/** Options of `app.trustProxy()`. */
export interface TrustProxyOptions {
  /**
   * The header fields that the proxies write: `x-forwarded-for`, with `X-Forwarded-Proto`, `-Host` and `-Port`, or
   * `forwarded` (RFC 7239). Set it if a proxy forwards the other ones as the client sent them. By default both are read,
   * `X-Forwarded-…` first.
   *
   * Any other name is that of a field with the client's address alone, such as `cf-connecting-ip` or `x-real-ip`; scheme
   * and host are then those of the request.
   */
  header?: ForwardedHeader | (string & {});
}

/** The argument of `app.trustProxy()` where the platform sets a field of every request, as Workers do. */
export interface TrustedHeader {
  /** As in `TrustProxyOptions`. */
  header: ForwardedHeader | (string & {});
}

const HEADERS: readonly ForwardedHeader[] = ['x-forwarded-for', 'forwarded'];

/**
 * `true` trusts the peer, a single proxy, and takes the address that it reports. A list trusts only these networks, and
 * takes the nearest address that is not in one of them.
 *
 * @throws ConfigError if an entry of the list is malformed.
 */
export function trustedProxies(
  trusted: true | readonly string[],
  { header }: TrustProxyOptions = {},
): TrustedProxies {
  const named = header?.toLowerCase();
  const headers = named === undefined ? HEADERS : isForwardedHeader(named) ? [named] : [];
  const networks = trusted === true ? undefined : new Networks(trusted, 'trustProxy');
  const trusts = (source: RequestSource): boolean =>
    networks === undefined || isIn(networks, peerAddress(source.peer));
  const chainOf = (source: RequestSource): Chain => {
    if (named !== undefined && headers.length === 0) return { client: addressIn(source, named), hop: 0 };
    for (const name of headers) {
      const value = source.header(name);
      if (value === undefined) continue;
      return networks === undefined ? nearest(name, value) : nearestUntrusted(name, value, networks);
    }
    return { client: peerAddress(source.peer), hop: 0 };
  };
  return {
    trusts,
    clientIp: (source) => (trusts(source) ? chainOf(source).client : peerAddress(source.peer)),
    origin: (source) =>
      trusts(source) ? forwardedOrigin(source, headers, chainOf(source).hop) : source.origin,
  };
}

/** The way of a request through trusted proxies. */
interface Chain {
  readonly client: string | undefined;
  /** How many trusted proxies are between the server and the one that saw the client. */
  readonly hop: number;
}

/** Two fields are joined, and no address. */
function addressIn(source: RequestSource, header: string): string | undefined {
  const value = source.isRepeated(header) ? undefined : source.header(header);
  const text = value === undefined ? undefined : singleAddress(value);
  const address = text === undefined ? undefined : readAddress(text);
  return address && formatIp(address);
}

function isIn(networks: Networks, text: string | undefined): boolean {
  const address = text === undefined ? undefined : readAddress(text);
  return address !== undefined && networks.has(address);
}

function nearest(header: ForwardedHeader, value: string): Chain {
  const [hop] = hopsOf(header, value);
  const address = hop === undefined ? undefined : readAddress(hop);
  return { client: address && formatIp(address), hop: 0 };
}

/** If every hop is trusted, the farthest is the client: the request comes from inside the networks. */
function nearestUntrusted(header: ForwardedHeader, value: string, networks: Networks): Chain {
  let client: string | undefined;
  let hop = -1;
  for (const node of hopsOf(header, value)) {
    hop += 1;
    const address = node === undefined ? undefined : readAddress(node);
    if (address === undefined) return { client: undefined, hop };
    client = formatIp(address);
    if (!networks.has(address)) break;
  }
  return { client, hop: Math.max(hop, 0) };
}

interface Reported {
  readonly proto: string | undefined;
  readonly host: string | undefined;
  readonly port: string | undefined;
}

/**
 * The origin of a request that a trusted proxy has sent. What is not reported, or malformed, is that of the request
 * itself: a `Host` is often passed on.
 *
 * @param headers the fields that are read, the first one that is there
 * @param hop how many trusted proxies are between the server and the one that saw the client
 */
function forwardedOrigin(source: RequestSource, headers: readonly ForwardedHeader[], hop: number): string {
  const { origin } = source;
  const reported = headers.map((header) => READ[header](source, hop)).find((one) => one !== undefined);
  if (reported === undefined) return origin;
  const [ownScheme = '', ownHost = ''] = origin.split('://');
  const scheme = SCHEMES[(reported.proto ?? '').toLowerCase()] ?? ownScheme;
  const host = reported.host !== undefined && isHost(reported.host) ? reported.host : ownHost;
  const hasPort = /:\d+$/.test(host);
  return `${scheme}://${host}${hasPort || !isPort(reported.port) ? '' : `:${reported.port}`}`;
}

const SCHEMES: Readonly<Record<string, string>> = Object.assign(Object.create(null), {
  http: 'http',
  https: 'https',
  ws: 'http',
  wss: 'https',
});

const READ: Readonly<Record<ForwardedHeader, (source: RequestSource, hop: number) => Reported | undefined>> =
  {
    'x-forwarded-for': (source, hop) => {
      const [proto, host, port] = ['proto', 'host', 'port'].map((name) => {
        const value = source.header(`x-forwarded-${name}`);
        return value === undefined ? undefined : trimBlanks(atHop(value, false, hop));
      });
      // A proxy that writes the address alone passes `Forwarded` on as the client sent it.
      const isWritten =
        source.header('x-forwarded-for') !== undefined || (proto ?? host ?? port) !== undefined;
      return isWritten ? { proto, host, port } : undefined;
    },
    forwarded: (source, hop) => {
      const value = source.header('forwarded');
      if (value === undefined) return undefined;
      const element = atHop(value, true, hop);
      const [proto, host] = (['proto', 'host'] as const).map((name) => forwardedParameter(element, name));
      return { proto, host, port: undefined };
    },
  };

/** Each proxy appends to the list, or replaces it by what it knows. */
function atHop(list: string, hasQuotes: boolean, hop: number): string {
  const elements = [...fromTheRight(list, hasQuotes)];
  return elements[hop] ?? elements[0] ?? '';
}

function isHost(host: string): boolean {
  return host !== '' && hostFault(host) === undefined;
}

function isPort(port: string | undefined): boolean {
  return port !== undefined && /^\d{1,5}$/.test(port) && Number(port) > 0 && Number(port) <= 65_535;
}
