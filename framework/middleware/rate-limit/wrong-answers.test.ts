// Rate limits: what the functions and stores of an application return that is not what they should.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { signInLimit } from '../../auth/password/index.js';
import { App } from '../../index.js';
import { type RateLimiterOptions, rateLimiter } from '../index.js';

const error = vi.spyOn(console, 'error');
beforeEach(() => void error.mockReset().mockImplementation(() => {}));
afterEach(() => void error.mockReset());

async function ask(options: RateLimiterOptions): Promise<Response> {
  return new App()
    .use(rateLimiter(options))
    .get('/', () => 'in')
    .fetch(new Request('http://x/'));
}

const fine = { isAllowed: true, remaining: 1, retryAfterMs: 0, resetMs: 1 };
const states = [
  undefined,
  null,
  true,
  'allowed',
  {},
  { isAllowed: true },
  { ...fine, isAllowed: 1 },
  { ...fine, retryAfterMs: Number.NaN },
  { ...fine, resetMs: Number.POSITIVE_INFINITY },
];

it.each(states)('a store that answers %j fails', async (state) => {
  const store = { take: () => state } as never;
  const allowed = await ask({ store });
  expect([allowed.status, allowed.headers.get('RateLimit')]).toEqual([200, null]);
  expect((await ask({ store, storeErrors: 'deny' })).status).toBe(503);
  expect(String(error.mock.calls[0])).toContain('return what rateLimitState() gives');
  const limit = signInLimit({ store });
  const app = new App().get('/', async (ctx) => String(await limit(ctx, 'ada', () => true)));
  expect((await app.fetch(new Request('http://x/'))).status).toBe(503);
});

it.each([undefined, null, {}, [], () => 'key', true])('a key that is %s is an error', async (key) => {
  for (const given of [() => key, async () => key]) {
    expect((await ask({ key: given as never })).status).toBe(500);
    expect(String(error.mock.calls[0])).toContain('the key of a rate limit is');
  }
});
