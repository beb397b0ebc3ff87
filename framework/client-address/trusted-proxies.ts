// Client address: the address of the client behind trusted proxies.
import { ConfigError } from '../config-error.js';
import type { RequestSource } from '../http/request-source.js';
import { formatIp, readAddress } from './address.js';
import { type ForwardedHeader, hopsOf } from './forwarded.js';
import { Networks } from './networks.js';
import { peerAddress } from './peer-address.js';

/** Returns the client's normalized address; undefined if it is unknown. */
export type ReadClientIp = (source: RequestSource) => string | undefined;

/** Options of `app.trustProxy()`. */
export interface TrustProxyOptions {
  /**
   * The header field that the proxies write: `x-forwarded-for` or `forwarded` (RFC 7239). Set it if a proxy forwards
   * the other field as the client sent it. By default both are read, `X-Forwarded-For` first.
   */
  header?: ForwardedHeader;
}

const HEADERS: readonly ForwardedHeader[] = ['x-forwarded-for', 'forwarded'];

/**
 * `true` trusts the peer, a single proxy, and takes the address that it reports. A list trusts only these networks, and
 * takes the nearest address that is not in one of them.
 *
 * @throws ConfigError when an entry of the list or the option is malformed.
 */
export function trustedProxies(
  trusted: true | readonly string[],
  { header }: TrustProxyOptions = {},
): ReadClientIp {
  if (header !== undefined && !HEADERS.includes(header)) {
    throw new ConfigError(
      'FW_SETTING',
      `trustProxy: unknown header '${header}'; use ${HEADERS.join(' or ')}`,
    );
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

/** If every hop is trusted, the farthest is the client: the request comes from inside the networks. */
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
