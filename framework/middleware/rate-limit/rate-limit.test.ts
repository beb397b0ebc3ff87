import { describe, expect, it, vi } from 'vitest';
import { App } from '../../app/app.js';
import { TestClient } from '../../testing/index.js';
import { subscribe } from '../../tracing/subscribe.js';
import { MemoryRateLimitStore } from './memory-rate-limit-store.js';
import { boundedKey, RateLimitKey } from './rate-limit-key.js';
import { RateLimiter, type RateLimiterOptions, rateLimiter } from './rate-limiter.js';

const limit = { max: 2, windowMs: 10_000 };

describe('MemoryRateLimitStore', () => {
  it('allows the requests of a window, then one for each token that was refilled', () => {
    let now = 0;
    const store = new MemoryRateLimitStore(() => now);
    expect(store.take('a', limit)).toEqual({
      isAllowed: true,
      remaining: 1,
      retryAfterMs: 0,
      resetMs: 5_000,
    });
    expect(store.take('a', limit)).toMatchObject({ isAllowed: true, remaining: 0, retryAfterMs: 5_000 });
    now = 4_000;
    expect(store.take('a', limit)).toMatchObject({ isAllowed: false, remaining: 0, retryAfterMs: 1_000 });
    expect(store.take('b', limit)).toMatchObject({ isAllowed: true });
    now = 5_000;
    expect(store.take('a', limit)).toMatchObject({ isAllowed: true, remaining: 0 });
    expect(store.take('a', limit)).toMatchObject({ isAllowed: false });
  });

  it('lets nobody wait while tokens are left', () => {
    const store = new MemoryRateLimitStore(() => 0);
    const three = { max: 3, windowMs: 9_000 };
    const waits = Array.from({ length: 4 }, () => store.take('a', three).retryAfterMs);
    expect(waits).toEqual([0, 0, 3_000, 3_000]);
  });

  it('counts exactly if a token takes a fraction of a millisecond', () => {
    const store = new MemoryRateLimitStore(() => 0);
    const thirds = { max: 7, windowMs: 1_000 };
    const states = Array.from({ length: 8 }, () => store.take('a', thirds));
    expect(states.map(({ isAllowed }) => isAllowed)).toEqual([...Array(7).fill(true), false]);
    expect(states.map(({ remaining }) => remaining)).toEqual([6, 5, 4, 3, 2, 1, 0, 0]);
  });

  it('never holds more tokens than the limit', () => {
    let now = 0;
    const store = new MemoryRateLimitStore(() => now);
    store.take('a', limit);
    now = 9_999;
    const allowed = Array.from({ length: 5 }, () => store.take('a', limit).isAllowed);
    expect(allowed).toEqual([true, true, false, false, false]);
  });

  it('drops buckets that were idle for a window', () => {
    let now = 0;
    const store = new MemoryRateLimitStore(() => now);
    for (let index = 0; index < 10; index += 1) store.take(`idle ${index}`, limit);
    now = 4_999;
    store.take('a', limit);
    expect(store.size).toBe(11);
    // Full again: each request removes two of them.
    now = 5_000;
    store.take('a', limit);
    expect(store.size).toBe(9);
    for (let index = 0; index < 4; index += 1) store.take('a', limit);
    expect(store.size).toBe(1);
  });

  it('keeps a bucket that is used, regardless of its age', () => {
    let now = 0;
    const store = new MemoryRateLimitStore(() => now);
    for (now = 0; now < 100_000; now += 1_000) {
      store.take('a', limit);
      store.take(`other ${now}`, limit);
    }
    // The last token was refilled at most 4,000 ms ago: a new bucket would have two.
    now = 99_000;
    expect(store.take('a', limit).remaining).toBe(0);
    expect(store.size).toBeLessThan(20);
  });

  it('takes tokens back, and keeps no bucket that is full again', () => {
    let now = 0;
    const store = new MemoryRateLimitStore(() => now);
    store.giveBack('a', limit);
    expect(store.size).toBe(0);
    store.take('a', limit);
    store.take('a', limit);
    store.giveBack('a', limit);
    expect(store.size).toBe(1);
    expect(store.take('a', limit)).toMatchObject({ isAllowed: true, remaining: 0 });
    expect(store.take('a', limit)).toMatchObject({ isAllowed: false });
    store.giveBack('a', limit);
    now = 5_000;
    store.giveBack('a', limit);
    expect(store.size).toBe(0);
    expect(store.take('a', limit)).toMatchObject({ isAllowed: true, remaining: 1 });
  });

  it('forgets a bucket that gave its tokens back, if they take a fraction of a millisecond', () => {
    const store = new MemoryRateLimitStore(() => 0.1);
    const thirds = { max: 7, windowMs: 1_000 };
    for (let index = 0; index < 7; index += 1) store.take('a', thirds);
    for (let index = 0; index < 7; index += 1) store.giveBack('a', thirds);
    expect(store.size).toBe(0);
  });

  it('drops the bucket that was unused for longest if there are more than 100,000', () => {
    const store = new MemoryRateLimitStore(() => 0);
    store.take('first', limit);
    store.take('kept', limit);
    store.take('kept', limit);
    for (let index = 0; index < 99_999; index += 1) store.take(`key ${index}`, limit);
    expect(store.size).toBe(100_000);
    expect(store.take('kept', limit).isAllowed).toBe(false);
  });
});

describe('keys', () => {
  const clientOf = (ip: string) => ({ clientIp: () => ip, req: { header: () => undefined } }) as never;

  it('are addresses; those of IPv6 are grouped by network', () => {
    expect(RateLimitKey.ip(clientOf('192.0.2.1'))).toBe('ip:192.0.2.1');
    expect(RateLimitKey.ip(clientOf('2001:db8:1:2:3::1'))).toBe('ip:2001:db8:1:2::/64');
    expect(RateLimitKey.ip(clientOf(undefined as never))).toBe('unknown');
    expect(RateLimitKey.header('X-Key')(clientOf('192.0.2.1'))).toBe('ip:192.0.2.1');
  });

  it('are short, and differ if the requests do', async () => {
    const long = 'a'.repeat(1_000);
    expect(await boundedKey('ip:192.0.2.1')).toBe('ip:192.0.2.1');
    expect(await boundedKey('a'.repeat(64))).toBe('a'.repeat(64));
    expect(await boundedKey('a'.repeat(65))).toMatch(/^sha256:/);
    const [one, other] = [await boundedKey(`${long}1`), await boundedKey(`${long}2`)];
    expect(one).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(other).not.toBe(one);
  });
});

const appWith = (options: RateLimiterOptions) =>
  new App()
    .use(rateLimiter(options))
    .get('/', () => 'ok')
    .get('/fails', () => Promise.reject(new Error('x')));

describe('rateLimiter', () => {
  it('allows 100 requests in a minute for each address by default', async () => {
    (await new TestClient(appWith({})).get('/'))
      .assertHeader('ratelimit-policy', '"default";q=100;w=60')
      .assertHeader('ratelimit', '"default";r=99;t=1');
    const app = appWith({ max: 1 }).trustProxy(true);
    const from = (address: string) => ({ headers: { 'X-Forwarded-For': address } });
    const client = new TestClient(app);
    (await client.get('/', from('192.0.2.1'))).assertStatus(200);
    (await client.get('/', from('192.0.2.2'))).assertStatus(200);
    (await client.get('/', from('192.0.2.1'))).assertStatus(429);
  });

  it('takes everything from a builder', async () => {
    const store = new MemoryRateLimitStore();
    const limiter = new RateLimiter(3, 10).key(RateLimitKey.global).store(store).name('own');
    const answer = await new TestClient(new App().use(limiter.build()).get('/', () => 'ok')).get('/');
    answer.assertHeader('ratelimit-policy', '"own";q=3;w=10');
    expect(store.take('own:global', { max: 3, windowMs: 10_000 }).remaining).toBe(1);
    const failing = { take: () => Promise.reject(new Error('connection refused')) };
    const silent = vi.spyOn(console, 'error').mockImplementation(() => {});
    const denies = new RateLimiter(3, 10).store(failing).storeErrors('deny');
    (await new TestClient(new App().use(denies.build())).get('/')).assertStatus(503);
    silent.mockRestore();
  });

  it('counts by the value of a header field, and by address if the field is absent', async () => {
    const client = new TestClient(appWith({ max: 1, key: RateLimitKey.header('X-Api-Key') }));
    const as = (key: string) => client.get('/', { headers: { 'X-Api-Key': key } });
    (await as('a')).assertStatus(200);
    (await as('b')).assertStatus(200);
    (await as('a')).assertStatus(429);
    (await client.get('/')).assertStatus(200);
    (await client.get('/')).assertStatus(429);
  });

  it('does not confuse the value of a header field with another key', async () => {
    const app = new App()
      .trustProxy(true)
      .use(new RateLimiter(1, 60).key(RateLimitKey.header('X-Api-Key')).build())
      .get('/', () => 'ok');
    const client = new TestClient(app, { headers: { 'X-Forwarded-For': '192.0.2.1' } });
    (await client.get('/')).assertStatus(200);
    (await client.get('/', { headers: { 'X-Api-Key': 'ip:192.0.2.1' } })).assertStatus(200);
    (await client.get('/')).assertStatus(429);
  });

  it('sends how many requests remain, also on errors', async () => {
    const client = new TestClient(appWith({ max: 2, windowSeconds: 120 }));
    (await client.get('/nope'))
      .assertStatus(404)
      .assertHeader('ratelimit-policy', '"default";q=2;w=120')
      .assertHeader('ratelimit', '"default";r=1;t=60');
    (await client.get('/')).assertHeader('ratelimit', '"default";r=0;t=120');
    (await client.get('/'))
      .assertStatus(429)
      .assertHeader('retry-after', '60')
      .assertHeader('ratelimit', '"default";r=0;t=120')
      .assertJson({ error: 'TooManyRequests', message: 'too many requests; try again in 60 s' });
  });

  it('sends two members per field if two limiters run', async () => {
    const app = new App()
      .use(rateLimiter({ max: 5, name: 'burst', windowSeconds: 1 }))
      .use(rateLimiter({ max: 100, name: 'hourly', windowSeconds: 3600 }))
      .get('/', () => 'ok');
    const response = await new TestClient(app).get('/');
    expect(response.header('ratelimit-policy')?.split(', ').sort()).toEqual([
      '"burst";q=5;w=1',
      '"hourly";q=100;w=3600',
    ]);
  });

  it('counts separately for different names in one store', async () => {
    const store = new MemoryRateLimitStore();
    const app = new App()
      .route(
        '/a',
        new App()
          .use(rateLimiter({ max: 1, name: 'a', store, key: RateLimitKey.global }))
          .get('/', () => 'a'),
      )
      .route(
        '/b',
        new App()
          .use(rateLimiter({ max: 1, name: 'b', store, key: RateLimitKey.global }))
          .get('/', () => 'b'),
      );
    const client = new TestClient(app);
    for (const path of ['/a', '/b']) (await client.get(path)).assertStatus(200);
    for (const path of ['/a', '/b']) (await client.get(path)).assertStatus(429);
    expect(store.size).toBe(2);
  });

  it('counts together for the same name in one store', async () => {
    const store = new MemoryRateLimitStore();
    const shared = () => appWith({ max: 1, store, key: RateLimitKey.global });
    (await new TestClient(shared()).get('/')).assertStatus(200);
    (await new TestClient(shared()).get('/')).assertStatus(429);
  });

  it.each([
    [0, '1'],
    [1, '1'],
    [1_000, '1'],
    [1_001, '2'],
  ])('asks to wait for whole seconds, one at least: after %d ms in %s s', async (retryAfterMs, seconds) => {
    const store = { take: () => ({ isAllowed: false, remaining: 0, retryAfterMs, resetMs: 5_000 }) };
    (await new TestClient(appWith({ store })).get('/'))
      .assertStatus(429)
      .assertHeader('retry-after', seconds)
      .assertHeader('ratelimit', '"default";r=0;t=5');
  });

  it('allows requests while the store fails, and reports the error', async () => {
    const store = { take: () => Promise.reject(new Error('connection refused')) };
    const seen: unknown[] = [];
    const stop = subscribe(({ fields }) => seen.push((fields.error as Error).message));
    try {
      (await new TestClient(appWith({ store })).get('/')).assertStatus(200);
      (await new TestClient(appWith({ store, onStoreError: 'deny' })).get('/')).assertStatus(503);
    } finally {
      stop();
    }
    expect(seen.filter((message) => message === 'connection refused')).toHaveLength(2);
  });

  it.each([
    [() => rateLimiter({ max: 0 }), 'rateLimiter: max is 0; give a whole number, 1 or more'],
    [() => rateLimiter({ max: 1.5 }), 'max is 1.5; give'],
    [() => new RateLimiter(10, 0), 'RateLimiter: windowSeconds is 0'],
    [() => new RateLimiter(10, Number.NaN), 'RateLimiter: windowSeconds is NaN'],
    [() => rateLimiter({ name: 'a'.repeat(65) }), 'give up to 64 letters'],
    [() => rateLimiter({ name: 'a"b' }), "name is 'a\"b'; give up to 64 letters"],
    [() => RateLimitKey.header('X Key'), "RateLimitKey.header: the name is 'X Key'"],
  ])('refuses invalid options: %#', (make, message) => expect(make).toThrow(message));

  it('takes a name of 64 characters', () => {
    expect(() => rateLimiter({ name: 'a'.repeat(64) })).not.toThrow();
  });
});
