// Cases: the client's address, as proxies that are trusted tell it, and what filters by it.
import { App } from '../../app/app.js';
import { IpFilter } from '../../middleware/ip-filter.js';
import { RateLimitKey } from '../../middleware/rate-limit/rate-limit-key.js';
import { rateLimiter } from '../../middleware/rate-limit/rate-limiter.js';
import { type Case, wireError } from '../case.js';

const behindProxy = () => new App().trustProxy(true).get('/', (ctx) => ctx.json({ ip: ctx.clientIp() }));
const forwarded = (value: string) => ({ 'X-Forwarded-For': value });

const refused = wireError('Forbidden', 'requests from this address are not allowed');
const inside = () =>
  new App()
    .trustProxy(true)
    .use(IpFilter.allow(['10.0.0.0/8', '2001:db8::/32']).build())
    .get('/', () => 'in');
const outside = () =>
  new App()
    .trustProxy(true)
    .use(IpFilter.deny(['203.0.113.0/24']).build())
    .get('/', () => 'in');

const filtered = (name: string, app: () => App, from: string, status: number): Case => ({
  name,
  app,
  request: { path: '/', headers: forwarded(from) },
  status,
  body: status === 200 ? 'in' : refused,
});

export const clientAddresses: Case[] = [
  {
    name: 'a forwarded address does not count by itself',
    app: () => new App().get('/', (ctx) => ctx.json({ isForwarded: ctx.clientIp() === '192.0.2.1' })),
    request: { path: '/', headers: { ...forwarded('192.0.2.1'), Forwarded: 'for=192.0.2.1' } },
    status: 200,
    body: { isForwarded: false },
  },
  {
    name: 'the nearest address counts behind a trusted proxy',
    app: behindProxy,
    request: { path: '/', headers: forwarded('6.6.6.6, 192.0.2.1') },
    status: 200,
    body: { ip: '192.0.2.1' },
  },
  {
    name: 'Forwarded counts as well',
    app: behindProxy,
    request: { path: '/', headers: { Forwarded: 'for=6.6.6.6, for="[2001:db8::7]:4711";proto=https' } },
    status: 200,
    body: { ip: '2001:db8::7' },
  },
  {
    name: 'a quote that is escaped ends no quoted value of Forwarded',
    app: behindProxy,
    request: { path: '/', headers: { Forwarded: 'for=6.6.6.6, for=192.0.2.1;host="a, for=7.7.7.7;b\\"c"' } },
    status: 200,
    body: { ip: '192.0.2.1' },
  },
  {
    name: 'only space and tab are white space around an address',
    app: behindProxy,
    request: { path: '/', headers: forwarded('192.0.2.1,\u00a0192.0.2.2') },
    status: 200,
    body: {},
  },
  {
    name: 'the address of a mounted App is the same',
    app: () =>
      new App().trustProxy(true).route(
        '/in',
        new App().get('/', (ctx) => `${ctx.clientIp()}`),
      ),
    request: { path: '/in', headers: forwarded('192.0.2.1') },
    status: 200,
    body: '192.0.2.1',
  },
  {
    name: 'a list without the peer trusts no proxy',
    app: () =>
      new App().trustProxy(['10.0.0.0/8']).get('/', (ctx) => ({ fooled: ctx.clientIp() === '6.6.6.6' })),
    request: { path: '/', headers: forwarded('6.6.6.6') },
    status: 200,
    body: { fooled: false },
  },
  filtered('an allowed address', inside, '10.1.2.3', 200),
  filtered('an allowed address, mapped', inside, '::ffff:10.1.2.3', 200),
  filtered('an allowed network of IPv6', inside, '[2001:db8::1]:443', 200),
  filtered('an address that is not allowed', inside, '10.1.2.3, 192.0.2.1', 403),
  filtered('an address that cannot be read', inside, 'unknown', 403),
  filtered('a denied address', outside, '203.0.113.9', 403),
  filtered('a denied address, mapped', outside, '::ffff:cb00:7109', 403),
  filtered('an address that is not denied', outside, '192.0.2.1', 200),
  filtered('an unreadable address is not let past a denial', outside, '203.0.113.009', 403),
  {
    name: 'a filter covers what no route matches',
    app: outside,
    request: { path: '/nope', headers: forwarded('203.0.113.9') },
    status: 403,
    body: refused,
  },
  {
    name: 'a request within the rate limit',
    app: () => new App().use(rateLimiter({ max: 3 })).get('/', () => 'ok'),
    request: { path: '/' },
    status: 200,
    headers: {
      'ratelimit-policy': '"default";q=3;w=60',
      ratelimit: '"default";r=2;t=20',
      'retry-after': undefined,
    },
  },
  {
    name: 'a request over the rate limit',
    app: () => {
      const spent = {
        take: () => ({ isAllowed: false, remaining: 0, retryAfterMs: 1_200, resetMs: 60_000 }),
      };
      return new App()
        .use(rateLimiter({ store: spent, key: RateLimitKey.global }))
        .get('/', () => 'not reached');
    },
    request: { path: '/' },
    status: 429,
    headers: { 'retry-after': '2', ratelimit: '"default";r=0;t=60' },
    body: wireError('TooManyRequests', 'too many requests; try again in 2 s'),
  },
];
