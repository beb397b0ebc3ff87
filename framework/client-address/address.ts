// Client address: parses IP addresses of header fields, lists and sockets.
import ipaddr from 'ipaddr.js';
import type { PeerAddress } from '../http/request-source.js';
import { nearest } from '../options/nearest.js';
import { headerName, type Rule } from '../options/rules.js';

/** A normalized address: an IPv4-mapped IPv6 address is the IPv4 address. */
export type Address = ipaddr.IPv4 | ipaddr.IPv6;

/**
 * Parses IPv4 in four decimal numbers, or IPv6. Undefined for anything else: for other spellings of IPv4 (`0177.1`,
 * `127.1`), which programs interpret differently, and for IPv6 with a zone, which has a meaning only on its host.
 */
export function readAddress(text: string): Address | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  if (!text.includes(':') || text.includes('%') || !ipaddr.IPv6.isValid(text)) return undefined;
  const tail = text.slice(text.lastIndexOf(':') + 1);
  if (tail.includes('.') && !ipaddr.IPv4.isValidFourPartDecimal(tail)) return undefined;
  const address = ipaddr.IPv6.parse(text);
  return address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
}

/** The canonical text of an address (RFC 5952, section 4). */
export function formatIp(address: Address): string {
  return address.kind() === 'ipv4' ? address.toString() : (address as ipaddr.IPv6).toRFC5952String();
}

/**
 * The network of one subscriber of a provider: an IPv4 address, or an IPv6 network of 64 bits, of which a client can
 * use every address (RFC 6177). Text that is not an address is returned unchanged.
 */
export function subscriberNetwork(text: string): string {
  if (!text.includes(':')) return text;
  const address = readAddress(text);
  if (address === undefined || address.kind() === 'ipv4') return address?.toString() ?? text;
  const prefix = (address as ipaddr.IPv6).parts.slice(0, 4).map((part) => part.toString(16));
  return `${prefix.join(':')}::/64`;
}

/** A header field in which proxies report the addresses of their clients, one after the other. */
export type ForwardedHeader = 'x-forwarded-for' | 'forwarded';

export function isForwardedHeader(lowerName: string): lowerName is ForwardedHeader {
  return lowerName === 'x-forwarded-for' || lowerName === 'forwarded';
}

/** The name of a field. One that is nearly a known one is a mistake, with which every client would be unknown. */
export const addressField: Rule = {
  takes: "the name of a header field, such as 'x-forwarded-for' or 'cf-connecting-ip'",
  fault(value) {
    const fault = headerName.fault(value);
    if (fault !== undefined) return fault;
    const name = String(value).toLowerCase();
    if (isForwardedHeader(name)) return undefined;
    const meant = nearest(name, ['x-forwarded-for', 'forwarded']);
    return meant === undefined ? undefined : { code: 'FW_OPTION_CHOICE', takes: `'${meant}'` };
  },
};

/**
 * The normalized address of the connection's other end. A server that listens on IPv6 gets IPv4 clients as
 * `::ffff:192.0.2.7` (RFC 4291, section 2.5.5.2), and link-local ones with a zone.
 */
export function peerAddress(peer: PeerAddress | undefined): string | undefined {
  if (peer === undefined) return undefined;
  const { address } = peer;
  if (!address.includes(':')) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (mapped) return mapped[1];
  const zone = address.indexOf('%');
  return zone === -1 ? address : address.slice(0, zone);
}
