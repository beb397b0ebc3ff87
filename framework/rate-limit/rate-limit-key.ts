// Rate limit: whose requests share a bucket.

import { subscriberNetwork } from '../client-address/address.js';
import type { Context } from '../context.js';
import { FwHeaders } from '../headers.js';

/** Names the bucket of a request. */
export type RateLimitKeyOf = (ctx: Context) => string | Promise<string>;

/** A longer key is replaced by its digest, so that clients cannot fill the memory with keys. */
const LONGEST_KEY = 64;

/** The keys that come with `fw`; a function of your own does as well. */
export const RateLimitKey: {
  /**
   * `ctx.clientIp()`; IPv6 clients by their /64 network. Requests without an address, which there are only
   * without a socket or behind a proxy that names none, share one bucket.
   */
  readonly ip: RateLimitKeyOf;
  /** One bucket for all requests. */
  readonly global: RateLimitKeyOf;
  /**
   * A header field of the request, for example an API key; where it is absent, the client's address. Anyone can
   * send any value: use a field that an earlier middleware has checked.
   *
   * @throws Error when the name is no header name.
   */
  header(name: string): RateLimitKeyOf;
} = {
  ip: (ctx) => {
    const ip = ctx.clientIp();
    return ip === undefined ? 'unknown' : `ip:${subscriberNetwork(ip)}`;
  },
  global: () => 'global',
  header(name) {
    new FwHeaders().set(name, '');
    const lower = name.toLowerCase();
    return (ctx) => {
      const value = ctx.req.header(lower);
      return value === undefined ? RateLimitKey.ip(ctx) : `header:${value}`;
    };
  },
};

/** The key as it is kept. */
export function boundedKey(key: string): string | Promise<string> {
  return key.length <= LONGEST_KEY ? key : digest(key);
}

async function digest(key: string): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(key)));
  return `sha256:${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
