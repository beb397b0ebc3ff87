// Client address: whom a request comes from, where proxies that are trusted stand in front of the server.
import type { RequestSource } from '../request-source.js';
import { formatIp, readAddress } from './address.js';
import { type ForwardedHeader, hopsOf } from './forwarded.js';
import { Networks } from './networks.js';
import { peerAddress } from './peer-address.js';

/** The client's address in its one form; undefined where it cannot be known. */
export type ReadClientIp = (source: RequestSource) => string | undefined;

export interface TrustProxyOptions {
  /**
   * The one header field that the proxies write: `x-forwarded-for` or `forwarded`. Name it where a proxy passes
   * the other one on from the client. By default both count, `X-Forwarded-For` first.
   */
  header?: ForwardedHeader;
}

const HEADERS: readonly ForwardedHeader[] = ['x-forwarded-for', 'forwarded'];

/**
 * `true` trusts whoever the connection comes from and takes the address that it names: one proxy. A list trusts
 * these networks only, and takes the nearest address that is none of them.
 *
 * @throws Error when an entry of the list or the option is malformed.
 */
export function trustedProxies(
  trusted: true | readonly string[],
  { header }: TrustProxyOptions = {},
): ReadClientIp {
  if (header !== undefined && !HEADERS.includes(header)) {
    throw new Error(`trustProxy: the header '${header}' is not known; use ${HEADERS.join(' or ')}`);
  }
  const headers = header === undefined ? HEADERS : [header];
  const networks = trusted === true ? undefined : new Networks(trusted, 'trustProxy');
  return (source) => {
    const peer = peerAddress(source.peer);
    if (networks !== undefined && !isIn(networks, peer)) return peer;
    for (const name of headers) {
      const value = source.header(name);
      if (value === undefined) continue;
      return networks === undefined ? nearest(name, value) : nearestUntrusted(name, value, networks);
    }
    return peer;
  };
}

function isIn(networks: Networks, text: string | undefined): boolean {
  const address = text === undefined ? undefined : readAddress(text);
  return address !== undefined && networks.has(address);
}

function nearest(header: ForwardedHeader, value: string): string | undefined {
  for (const hop of hopsOf(header, value)) {
    const address = hop === undefined ? undefined : readAddress(hop);
    return address && formatIp(address);
  }
  return undefined;
}

/** Where every hop is trusted, the farthest is the client: a request from inside the networks. */
function nearestUntrusted(header: ForwardedHeader, value: string, networks: Networks): string | undefined {
  let client: string | undefined;
  for (const hop of hopsOf(header, value)) {
    const address = hop === undefined ? undefined : readAddress(hop);
    if (address === undefined) return undefined;
    client = formatIp(address);
    if (!networks.has(address)) return client;
  }
  return client;
}
