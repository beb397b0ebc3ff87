// Client address: reads what a header, a list or a socket calls an IP address.
import ipaddr from 'ipaddr.js';

/** An address in its one form: IPv4-mapped IPv6 is the IPv4 address that it stands for. */
export type Address = ipaddr.IPv4 | ipaddr.IPv6;

/**
 * Four decimal numbers or IPv6. Undefined for anything else: other spellings of IPv4 (`0177.1`, `127.1`), with
 * which two readers disagree about one address, and IPv6 with a zone, which means something on its host only.
 */
export function readAddress(text: string): Address | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  if (!text.includes(':') || text.includes('%') || !ipaddr.IPv6.isValid(text)) return undefined;
  const tail = text.slice(text.lastIndexOf(':') + 1);
  if (tail.includes('.') && !ipaddr.IPv4.isValidFourPartDecimal(tail)) return undefined;
  const address = ipaddr.IPv6.parse(text);
  return address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
}

/** RFC 5952, section 4: the one text of an address. */
export function formatIp(address: Address): string {
  return address.kind() === 'ipv4' ? address.toString() : (address as ipaddr.IPv6).toRFC5952String();
}

/**
 * What one customer of a provider has: an IPv4 address, or an IPv6 network of 64 bits, of which a client can
 * use any address it likes (RFC 6177). A text that is no address stands for itself.
 */
export function subscriberNetwork(text: string): string {
  if (!text.includes(':')) return text;
  const address = readAddress(text);
  if (address === undefined || address.kind() === 'ipv4') return address?.toString() ?? text;
  const prefix = (address as ipaddr.IPv6).parts.slice(0, 4).map((part) => part.toString(16));
  return `${prefix.join(':')}::/64`;
}
