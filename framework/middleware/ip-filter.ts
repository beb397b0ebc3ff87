// Built-in middleware: allows or denies requests by the client's address.

import { readAddress } from '../client-address/address.js';
import { Networks } from '../client-address/networks.js';
import { ConfigError } from '../config-error.js';
import type { Middleware } from '../context/handlers.js';
import { FwError } from '../http/errors.js';

/**
 * Middleware that allows or denies requests by the client's IP address.
 *
 * ```ts
 * app.use(IpFilter.allow(['10.0.0.0/8', '2001:db8::/32', '192.0.2.7']).build());
 * ```
 *
 * The address is that of `ctx.clientIp()`, so behind a proxy set `trustProxy`. Other clients get 403, and so do
 * clients whose address is unknown. An IPv4-mapped IPv6 address counts as its IPv4 address; `0.0.0.0/0` is all of
 * IPv4 and `::/0` all of IPv6.
 */
export class IpFilter {
  readonly #networks: Networks;
  readonly #letsIn: boolean;

  private constructor(networks: Networks, letsIn: boolean) {
    this.#networks = networks;
    this.#letsIn = letsIn;
  }

  /** Allows only these. @throws ConfigError if the list is empty or an entry is not an address or network. */
  static allow(networks: readonly string[]): IpFilter {
    const list = new Networks(networks, 'IpFilter.allow');
    if (networks.length === 0) {
      throw new ConfigError(
        'FW_OPTION_EMPTY',
        'IpFilter.allow got an empty list, which denies all clients; name a network or leave the filter out',
      );
    }
    return new IpFilter(list, true);
  }

  /** Allows all but these. @throws ConfigError if an entry is not an address or network. */
  static deny(networks: readonly string[]): IpFilter {
    return new IpFilter(new Networks(networks, 'IpFilter.deny'), false);
  }

  /** Makes the middleware. */
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
