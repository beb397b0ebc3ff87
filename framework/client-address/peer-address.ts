// Client address: the normalized address of the connection's other end.
import type { PeerAddress } from '../http/request-source.js';

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
