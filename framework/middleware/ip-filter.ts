// Built-in middleware: lets requests through by the client's address.
import type { Middleware } from '../chain.js';
import { readAddress } from '../client-address/address.js';
import { Networks } from '../client-address/networks.js';
import { FwError } from '../errors.js';

/**
 * `IpFilter.allow(['10.0.0.0/8', '2001:db8::/32', '192.0.2.7']).build()` or `IpFilter.deny([…]).build()`.
 *
 * Filters by `ctx.clientIp()`, so behind a proxy set `trustProxy`. Who is not let through gets 403, and so does
 * a client whose address cannot be read. IPv4-mapped IPv6 equals its IPv4 address; `0.0.0.0/0` is all of IPv4
 * and `::/0` all of IPv6.
 */
export class IpFilter {
  readonly #networks: Networks;
  readonly #letsIn: boolean;

  private constructor(networks: Networks, letsIn: boolean) {
    this.#networks = networks;
    this.#letsIn = letsIn;
  }

  /** Lets in these only. @throws Error when the list is empty, or an entry is no address or network. */
  static allow(networks: readonly string[]): IpFilter {
    const list = new Networks(networks, 'IpFilter.allow');
    if (networks.length === 0) {
      throw new Error(
        'IpFilter.allow got an empty list, which lets nobody in; name a network or leave it out',
      );
    }
    return new IpFilter(list, true);
  }

  /** Lets in all but these. @throws Error when an entry is no address or network. */
  static deny(networks: readonly string[]): IpFilter {
    return new IpFilter(new Networks(networks, 'IpFilter.deny'), false);
  }

  build(): Middleware {
    const networks = this.#networks;
    const letsIn = this.#letsIn;
    return function ipFilter(ctx, next) {
      const ip = ctx.clientIp();
      const address = ip === undefined ? undefined : readAddress(ip);
      if (address !== undefined && networks.has(address) === letsIn) return next();
      throw FwError.forbidden('requests from this address are not allowed');
    };
  }
}
