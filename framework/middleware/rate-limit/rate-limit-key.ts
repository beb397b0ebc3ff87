// Rate limit: which requests share a bucket.

import { subscriberNetwork } from '../../client-address/address.js';
import type { Context } from '../../context/context.js';
import { addRenamed, checkValue } from '../../options/check.js';
import { headerName } from '../../options/rules.js';
import { kindOf } from '../../options/shown.js';

/** Returns the key of the bucket for a request. */
export type RateLimitKeyFunction = (ctx: Context) => string | Promise<string>;

/** A longer key is replaced by its SHA-256 digest, so that clients cannot fill the memory with long keys. */
const LONGEST_KEY = 64;

/** Predefined key functions; the option `key` takes any other function too. */
export const RateLimitKey: {
  /**
   * One bucket for each `ctx.clientIp()`, and for each /64 network of IPv6. Requests without an address, which occur
   * only without a socket or behind a proxy that reports none, share one bucket.
   */
  readonly ip: RateLimitKeyFunction;
  /** One bucket for all requests. */
  readonly global: RateLimitKeyFunction;
  /**
   * One bucket for each value of a request header field, for example of an API key; requests without the field are
   * counted like `ip`. Clients can send any value, so use a field that earlier middleware has checked.
   *
   * @throws ConfigError if the name is not a token (RFC 9110, section 5.6.2).
   */
  header(name: string): RateLimitKeyFunction;
} = {
  ip: (ctx) => {
    const ip = ctx.clientIp();
    return ip === undefined ? 'unknown' : `ip:${subscriberNetwork(ip)}`;
  },
  global: () => 'global',
  header(name) {
    checkValue('RateLimitKey.header', 'the name', name, headerName);
    const lower = name.toLowerCase();
    return (ctx) => {
      const value = ctx.req.header(lower);
      return value === undefined ? RateLimitKey.ip(ctx) : `header:${value}`;
    };
  },
};

addRenamed(RateLimitKey, 'RateLimitKey', {
  Ip: 'RateLimitKey.ip',
  Global: 'RateLimitKey.global',
  Header: "RateLimitKey.header('X-Api-Key')",
});

/** The key as it is stored. @throws Error if it is neither a text nor a number: such requests would share one bucket */
export function boundedKey(key: string): string | Promise<string> {
  if (typeof key !== 'string' && typeof key !== 'number') {
    throw new Error(`the key of a rate limit is ${kindOf(key)}; return a text`);
  }
  return key.length <= LONGEST_KEY ? key : digest(key);
}

async function digest(key: string): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(key)));
  return `sha256:${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
