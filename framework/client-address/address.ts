// Client address: parses IP addresses of header fields, lists and sockets.
import ipaddr from 'ipaddr.js';

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
 * use every address (RFC 6177). One that NAT64 has made of an IPv4 address (RFC 6052, section 2.1) is that address:
 * otherwise all of IPv4 would be one network. Text that is not an address is returned unchanged.
 */
export function subscriberNetwork(text: string): string {
  if (!text.includes(':')) return text;
  const address = readAddress(text);
  if (address === undefined || address.kind() === 'ipv4') return address?.toString() ?? text;
  const { parts } = address as ipaddr.IPv6;
  if (NAT64.every((part, index) => part === parts[index])) {
    return parts
      .slice(6)
      .flatMap((part) => [part >> 8, part & 255])
      .join('.');
  }
  const prefix = parts.slice(0, 4).map((part) => part.toString(16));
  return `${prefix.join(':')}::/64`;
}

/** 64:ff9b::/96 */
const NAT64 = [0x64, 0xff9b, 0, 0, 0, 0];
