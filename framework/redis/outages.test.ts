import { fork } from 'node:child_process';
import diagnostics from 'node:diagnostics_channel';
import { once } from 'node:events';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { trialApp } from '../conformance/redis/trial-app.js';
import {
  Blackhole,
  hasRedis,
  newPrefix,
  OwnServer,
  removePrefix,
  SHARED,
} from '../conformance/redis/trial-redis.js';
import { TestClient } from '../testing/index.js';
import type { FwErrorEvent } from '../tracing/error-channel.js';
import { RedisChannelBroker } from './redis-channel-broker.js';
import { createRedisClient } from './redis-client.js';
import { RedisConnection, RedisScript } from './redis-connection.js';
import { RedisRateLimitStore } from './redis-rate-limit-store.js';

const available = await hasRedis();

describe.skipIf(!available)('while Redis is away', () => {
  const cleanups: (() => unknown)[] = [];
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  });
  /** Events of Redis itself, not of requests. */
  function outages(): FwErrorEvent[] {
    const events: FwErrorEvent[] = [];
    const listen = (event: unknown) =>
      (event as FwErrorEvent).method === 'redis' && events.push(event as FwErrorEvent);
    diagnostics.subscribe('fw:error', listen);
    cleanups.push(() => diagnostics.unsubscribe('fw:error', listen));
    return events;
  }
  function open(url: string, prefix: string, onStoreError?: 'allow' | 'deny') {
    const trial = trialApp(url, prefix, onStoreError);
    cleanups.push(() => trial.close());
    return trial;
  }

  it('sessions are 503, limits are open or closed, and everything works again afterwards', async () => {
    const server = await OwnServer.open();
    cleanups.push(() => server.stop());
    const events = outages();
    const { app } = open(server.url, 'x:');
    const closed = open(server.url, 'x:', 'deny').app;
    const client = new TestClient(app);
    // The first one also waits for the connection.
    await vi.waitFor(async () => (await client.post('/login')).assertStatus(204));
    (await client.get('/')).assertJson({ user: 'ada', count: 0 });
    (await client.get('/limited')).assertStatus(200);
    (await new TestClient(closed).get('/limited')).assertStatus(200);

    await server.stop();
    await vi.waitFor(() => expect(events.length).toBeGreaterThan(0));
    (await client.get('/')).assertStatus(503).assertHeader('retry-after', '5');
    (await client.post('/logout')).assertStatus(503);
    (await new TestClient(app).post('/login')).assertStatus(503);
    (await new TestClient(app).get('/')).assertStatus(200);
    for (let request = 0; request < 5; request += 1)
      (await new TestClient(app).get('/limited')).assertStatus(200);
    (await new TestClient(closed).get('/limited')).assertStatus(503);
    // One for each of four connections, though each has tried several times.
    const attempts = events.length;
    expect(attempts).toBeLessThanOrEqual(4);

    await server.start();
    const after = new TestClient(app);
    await vi.waitFor(async () => (await after.post('/login')).assertStatus(204), {
      timeout: 60_000,
      interval: 50,
    });
    (await after.get('/')).assertJson({ user: 'ada', count: 0 });
    await vi.waitFor(async () => (await after.get('/limited')).assertHeader('ratelimit', /r=2/), {
      timeout: 60_000,
      interval: 50,
    });
    await server.stop();
    await vi.waitFor(() => expect(events.length).toBeGreaterThan(attempts), { timeout: 60_000 });
  });

  it('a server that does not answer is given up after a time', async () => {
    const hole = await Blackhole.open(6379);
    cleanups.push(() => hole.close());
    const prefix = newPrefix();
    cleanups.push(() => removePrefix(prefix));
    const trial = open(hole.url, prefix);
    const client = new TestClient(trial.app);
    await vi.waitFor(async () => (await client.post('/login')).assertStatus(204));
    hole.swallow();
    (await client.get('/')).assertStatus(503);
    (await client.get('/limited')).assertStatus(503);
    const late = open(hole.url, prefix);
    (await new TestClient(late.app).post('/login')).assertStatus(503);
    await Promise.all([trial.close(), late.close()]);
    await vi.waitFor(() => expect(hole.open).toBe(0));
  });

  it('an app starts without it, and uses it when it comes', async () => {
    const server = await OwnServer.open();
    cleanups.push(() => server.stop());
    await server.stop();
    const events = outages();
    const client = new TestClient(open(server.url, 'x:').app);
    (await client.post('/login')).assertStatus(503);
    await server.start();
    await vi.waitFor(async () => (await client.post('/login')).assertStatus(204), {
      timeout: 60_000,
      interval: 50,
    });
    expect(events.length).toBeLessThanOrEqual(2);
  });

  it('a connection without an answer is replaced, as the machine may be gone', async () => {
    const hole = await Blackhole.open(6379);
    cleanups.push(() => hole.close());
    const prefix = newPrefix();
    cleanups.push(() => removePrefix(prefix));
    const store = new RedisRateLimitStore(hole.url, { prefix, timeoutMs: 100 });
    cleanups.push(() => store.close());
    const take = () => store.take('a', { max: 100, windowMs: 60_000 });
    expect(await take()).toMatchObject({ isAllowed: true });
    hole.swallowOpen();
    await expect(take()).rejects.toThrow('did not answer within 100 ms');
    await vi.waitFor(async () => expect(await take()).toMatchObject({ isAllowed: true }), {
      timeout: 10_000,
      interval: 50,
    });
    // Not before several limits: a server may be slow for a moment.
    expect(hole.open).toBe(1);
  });

  it('subscriptions go on after a connection without an answer', async () => {
    const hole = await Blackhole.open(6379);
    cleanups.push(() => hole.close());
    const broker = new RedisChannelBroker(hole.url, { prefix: newPrefix(), timeoutMs: 100 });
    cleanups.push(() => broker.close());
    const heard: string[] = [];
    await broker.subscribe('a', (message) => heard.push(message));
    await broker.publish('a', 'before');
    await vi.waitFor(() => expect(heard).toEqual(['before']));
    hole.swallowOpen();
    const publishes = async () => {
      await broker.publish('a', 'after').catch(() => {});
      expect(heard.at(-1)).toBe('after');
    };
    await vi.waitFor(publishes, { timeout: 10_000, interval: 50 });
  });

  it.each([6, 7])(
    'a server that has become a replica is left, with the error of version %i',
    async (version) => {
      const old = await OwnServer.open();
      const fresh = await OwnServer.open();
      const hole = await Blackhole.open(old.port);
      cleanups.push(
        () => hole.close(),
        () => fresh.stop(),
        () => old.stop(),
      );
      const redis = new RedisConnection('Test', hole.url, { prefix: 'x:' });
      cleanups.push(() => redis.close());
      const text = "-READONLY You can't write against a read only replica.";
      const set =
        version === 7
          ? new RedisScript("return redis.call('SET', KEYS[1], ARGV[1])")
          : new RedisScript(`
local info = redis.call('INFO', 'replication')
if string.find(info, 'role:slave') then return redis.error_reply('ERR Error running script: @user_script: 1: ${text.replace("'", "\\'")}') end
return redis.call('SET', KEYS[1], ARGV[1])`);
      expect(await redis.run(set, ['x:a'], ['1'])).toBe('OK');
      const admin = await createRedisClient(old.url, 1_000);
      await admin.connect();
      await admin.sendCommand(['REPLICAOF', '127.0.0.1', String(fresh.port)]);
      admin.destroy();
      hole.leadTo(fresh.port);
      await expect(redis.run(set, ['x:a'], ['2'])).rejects.toThrow('READONLY');
      await vi.waitFor(async () => expect(await redis.run(set, ['x:a'], ['3'])).toBe('OK'), {
        timeout: 10_000,
        interval: 50,
      });
    },
  );

  it('closing ends the attempts to connect', async () => {
    const server = await OwnServer.open();
    await server.stop();
    const trial = trialApp(server.url, 'x:');
    await trial.close();
    await expect(trial.store.load('a')).rejects.toThrow('was closed');
  });
});

describe.skipIf(!available)('two processes', () => {
  it('share sessions and limits, also when one of them is killed', async () => {
    const prefix = newPrefix();
    const file = new URL('../conformance/redis/trial-app.ts', import.meta.url).pathname;
    const start = async () => {
      const child = fork(file, [SHARED, prefix], { execArgv: ['--import', 'tsx'] });
      const [address] = (await once(child, 'message')) as [string];
      return { child, client: new TestClient(address) };
    };
    const [one, two] = await Promise.all([start(), start()]);
    try {
      await one.client.post('/login');
      const headers = { cookie: `sid=${one.client.cookie('sid')}` };
      (await two.client.get('/', { headers })).assertJson({ user: 'ada', count: 0 });
      const sets = Array.from({ length: 20 }, (_, index) =>
        (index % 2 ? one : two).client.post(`/set/key${index}`, { headers }),
      );
      for (const set of await Promise.all(sets)) set.assertStatus(204);
      await two.client.post('/count', { headers });
      (await one.client.get('/limited')).assertStatus(200);
      (await two.client.get('/limited')).assertStatus(200);

      one.child.kill('SIGKILL');
      await once(one.child, 'exit');
      (await two.client.get('/', { headers })).assertJson({ user: 'ada', count: 1 });
      (await two.client.get('/sessions', { headers })).assertStatus(200);
      const { store, close } = trialApp(SHARED, prefix);
      const [session] = await store.list('ada');
      const keys = [...((await store.load(session?.id ?? ''))?.values.keys() ?? [])];
      expect(keys.filter((key) => key.startsWith('key'))).toHaveLength(20);
      (await two.client.get('/limited')).assertStatus(200);
      (await two.client.get('/limited')).assertStatus(429);
      const three = await start();
      (await three.client.get('/limited')).assertStatus(429);
      (await three.client.post('/logout', { headers })).assertStatus(204);
      (await two.client.get('/', { headers })).assertJson({ user: null, count: 0 });
      three.child.kill();
      await close();
    } finally {
      one.child.kill('SIGKILL');
      two.child.kill();
      await removePrefix(prefix);
    }
  });
});
