// Client address: lists of networks, for IP filters and trusted proxies.

import ipaddr from 'ipaddr.js';
import { ConfigError } from '../config-error.js';
import { checkValue } from '../options/check.js';
import { listOf, text } from '../options/rules.js';
import { shown } from '../options/shown.js';
import { type Address, formatIp, readAddress } from './address.js';

const MAPPED_BITS = 96;

const LIST = listOf({ ...text, takes: "addresses and networks, such as '192.0.2.7' and '10.0.0.0/8'" });

/** A list of networks and addresses, which finds out whether one of them contains an address. */
export class Networks {
  readonly #single = new Set<string>();
  readonly #ranges: (readonly [network: Address, bits: number])[] = [];

  /**
   * @param entries for example `10.0.0.0/8`, `2001:db8::/32`, `192.0.2.7`.
   * @param what the name of the list in messages.
   * @throws ConfigError if an entry is not an address or network, or has bits outside of its network.
   */
  constructor(entries: readonly string[], what: string) {
    checkValue(what, 'the list', entries, LIST);
    for (const entry of entries) this.#add(entry, what);
  }

  has(address: Address): boolean {
    if (this.#single.has(formatIp(address))) return true;
    return this.#ranges.some(
      ([network, bits]) => network.kind() === address.kind() && address.match(network, bits),
    );
  }

  #add(entry: string, what: string): void {
    if (entry === '') throw unreadable(entry, what);
    const slash = entry.indexOf('/');
    const written = slash === -1 ? entry : entry.slice(0, slash);
    const address = readAddress(written);
    if (address === undefined) throw unreadable(entry, what);
    if (slash === -1) {
      this.#single.add(formatIp(address));
      return;
    }
    const size = entry.slice(slash + 1);
    if (!/^(?:0|[1-9]\d{0,2})$/.test(size)) throw unreadable(entry, what);
    // `::ffff:10.0.0.0/104` counts the bits of IPv6 and means `10.0.0.0/8`.
    const isMapped = address.kind() === 'ipv4' && written.includes(':');
    const bits = Number(size) - (isMapped ? MAPPED_BITS : 0);
    if (bits < 0 || bits > (address.kind() === 'ipv4' ? 32 : 128)) throw unreadable(entry, what);
    const start = networkOf(address, bits);
    if (formatIp(start) !== formatIp(address)) {
      throw new ConfigError(
        'FW_NETWORK_BITS',
        `${what}: '${entry}' has bits outside of its network; write ${formatIp(start)}/${bits}, or ${formatIp(address)} for the single address`,
      );
    }
    this.#ranges.push([address, bits]);
  }
}

function networkOf(address: Address, bits: number): Address {
  const cidr = `${formatIp(address)}/${bits}`;
  return address.kind() === 'ipv4'
    ? ipaddr.IPv4.networkAddressFromCIDR(cidr)
    : ipaddr.IPv6.networkAddressFromCIDR(cidr);
}

function unreadable(entry: string, what: string): Error {
  return new ConfigError(
    'FW_OPTION_FORM',
    `${what}: ${shown(entry)} is not an address or network; write, for example, '10.0.0.0/8', '2001:db8::/32' or '192.0.2.7'`,
  );
}
