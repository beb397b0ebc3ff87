import { createClient } from 'redis';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  Blackhole,
  hasRedis,
  newPrefix,
  OwnServer,
  removePrefix,
  SHARED,
} from '../conformance/redis/trial-redis.js';
import type { HistoryMessage } from '../streaming/channel-broker.js';
import { RedisStreamBroker } from './index.js';
import { RedisConnection } from './redis-connection.js';

const available = await hasRedis();
const limits = { messages: 10_000, maxAgeMs: 60_000 };
/** Also on a machine that is busy. */
const until = <Result>(check: () => Result | Promise<Result>) => vi.waitFor(check, { timeout: 60_000 });

describe.skipIf(!available)('RedisStreamBroker', () => {
  const cleanups: (() => unknown)[] = [];
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  });
  function open(url: string, prefix: string, timeoutMs = 20_000): RedisStreamBroker {
    const broker = new RedisStreamBroker(url, { prefix, timeoutMs });
    cleanups.push(() => broker.close());
    return broker;
  }
  function shared(): [prefix: string, one: RedisStreamBroker, other: RedisStreamBroker] {
    const prefix = newPrefix();
    cleanups.push(() => removePrefix(prefix));
    return [prefix, open(SHARED, prefix), open(SHARED, prefix)];
  }
  async function client(url = SHARED) {
    const redis = await createClient({ url }).connect();
    cleanups.push(() => redis.close());
    return redis;
  }
  /** Follows a channel, and keeps what it is told. */
  async function follow(broker: RedisStreamBroker, channel: string) {
    const seen: string[] = [];
    const kept: HistoryMessage[] = [];
    const following = await broker.follow(channel, {
      onMessage(one) {
        kept.push(one);
        seen.push(one.message);
      },
      onLost: () => seen.push('lost'),
    });
    return { seen, kept, following };
  }
  /** Nothing is looked for from time to time. Timers that are not real would be moved by each wait. */
  function withoutChecks(): void {
    const checks = vi.spyOn(globalThis, 'setInterval').mockImplementation(() => setTimeout(() => {}, 0));
    cleanups.push(() => checks.mockRestore());
  }
  const numbers = (count: number, from = 0) => Array.from({ length: count }, (_, n) => String(n + from));

  it('carries messages to all who follow, in order, with ids without gaps', async () => {
    const [, one, other] = shared();
    const [a, b, c] = [await follow(one, 'a'), await follow(other, 'a'), await follow(other, 'b')];
    for (const message of ['1', 'two words', '', 'é\0\n']) await one.append('a', message, limits);
    await until(() => expect([a.seen, b.seen]).toEqual(Array(2).fill(['1', 'two words', '', 'é\0\n'])));
    expect(c.seen).toEqual([]);
    const epoch = a.kept[0]?.id.split('-')[0];
    expect(a.kept.map(({ id }) => id)).toEqual([1, 2, 3, 4].map((n) => `${epoch}-${n}`));
    expect(b.following.id).toBe(`${epoch}-4`);
    await a.following.stop();
    await one.append('a', '5', limits);
    await until(() => expect(b.seen).toHaveLength(5));
    expect(a.seen).toHaveLength(4);
  });

  it('has all messages after an id, or says that some are gone', async () => {
    const [prefix, one, other] = shared();
    const { following } = await follow(one, 'a');
    const start = following.id;
    for (const message of numbers(5)) await one.append('a', message, limits);
    await until(() => expect(following.id).toMatch(/-5$/));
    const messages = async (id: string) => (await other.since('a', id))?.map(({ message }) => message);
    expect(await messages(start)).toEqual(numbers(5));
    expect(await messages(start.replace(/0$/, '3'))).toEqual(['3', '4']);
    expect(await messages(following.id)).toEqual([]);
    for (const id of [
      '',
      'x',
      '1-1',
      following.id.replace(/5$/, '6'),
      `${start}x`,
      '$',
      '-',
      '9'.repeat(999),
    ]) {
      expect(await messages(id)).toBeUndefined();
    }
    expect(await other.since('unknown', start)).toBeUndefined();
    // Trimmed, as MAXLEN does it.
    const redis = await client();
    await redis.xTrim(`${prefix}messages:a`, 'MAXLEN', 2);
    expect(await messages(start.replace(/0$/, '3'))).toEqual(['3', '4']);
    expect(await messages(start.replace(/0$/, '2'))).toBeUndefined();
    // The messages have expired, the place has not.
    await redis.del(`${prefix}messages:a`);
    expect(await messages(following.id)).toEqual([]);
    expect(await messages(start)).toBeUndefined();
  });

  it('keeps no more than it is told, and lets idle channels expire', async () => {
    const [prefix, one] = shared();
    await Promise.all(
      numbers(1_000).map((message) => one.append('a', message, { messages: 100, maxAgeMs: 60_000 })),
    );
    const redis = await client();
    // Redis trims whole nodes of 100 entries.
    const length = await redis.xLen(`${prefix}messages:a`);
    expect(length).toBeGreaterThanOrEqual(100);
    expect(length).toBeLessThanOrEqual(200);
    expect(await redis.pTTL(`${prefix}messages:a`)).toBeGreaterThan(50_000);
    expect(await redis.pTTL(`${prefix}messages:a`)).toBeLessThanOrEqual(60_000);
    expect(await redis.pTTL(`${prefix}place:a`)).toBeGreaterThan(60_000);
  });

  it('loses nothing and repeats nothing while its connection is killed again and again', async () => {
    // A server of its own, because all its subscribers are killed.
    const server = await OwnServer.open();
    cleanups.push(() => server.stop());
    const [one, other] = [open(server.url, 'x:'), open(server.url, 'x:')];
    const { seen } = await follow(other, 'a');
    const redis = await client(server.url);
    let sent = 0;
    const appended: Promise<void>[] = [];
    for (let round = 0; round < 3; round += 1) {
      await until(async () => expect((await redis.pubSubNumSub('x:live:a'))['x:live:a']).toBe(1));
      for (const message of numbers(300, sent)) {
        appended.push(one.append('a', message, limits));
        if (Number(message) % 300 !== 150) continue;
        expect(await redis.sendCommand(['CLIENT', 'KILL', 'TYPE', 'pubsub'])).toBe(1);
      }
      sent += 300;
    }
    await Promise.all(appended);
    await until(() => expect(seen).toHaveLength(sent));
    expect(seen).toEqual(numbers(sent));
  });

  it('continues after a restart of Redis, and tells that messages are lost', async () => {
    const server = await OwnServer.open();
    cleanups.push(() => server.stop());
    const [one, other] = [open(server.url, 'x:'), open(server.url, 'x:')];
    const { seen } = await follow(other, 'a');
    await one.append('a', '1', limits);
    await until(() => expect(seen).toEqual(['1']));
    await server.stop();
    await until(() => expect(one.append('a', '2', limits)).rejects.toThrow());
    await server.start();
    await until(() => one.append('a', '3', limits));
    await until(() => expect(seen).toContain('lost'));
    await one.append('a', '4', limits);
    await until(() => expect(seen.at(-1)).toBe('4'));
    expect(seen.filter((text) => text === '4')).toHaveLength(1);
  });

  it('fetches what a connection does not push that is open and dead', async () => {
    const [prefix, one] = shared();
    const hole = await Blackhole.open(6379);
    cleanups.push(() => hole.close());
    // Commands go the usual way; the subscriptions go through the hole.
    const redis = await client();
    const through = createClient({ url: hole.url });
    vi.spyOn(redis, 'duplicate').mockReturnValue(through as never);
    const broker = new RedisStreamBroker(redis as never, { prefix, timeoutMs: 500 });
    cleanups.push(() => broker.close());
    const { seen } = await follow(broker, 'a');
    hole.swallow();
    for (const message of numbers(3)) await one.append('a', message, limits);
    await until(() => expect(seen).toEqual(numbers(3)));
  });

  it('checks only while something is followed', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    cleanups.push(() => vi.useRealTimers());
    const [, one, other] = shared();
    const [a, b] = [await follow(one, 'a'), await follow(one, 'b')];
    await follow(other, 'a');
    expect(vi.getTimerCount()).toBe(2);
    await a.following.stop();
    expect(vi.getTimerCount()).toBe(2);
    await b.following.stop();
    expect(vi.getTimerCount()).toBe(1);
    await other.setCounts(new Map([['a', 1]]));
    expect(vi.getTimerCount()).toBe(2);
    await other.close();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('leaves no check behind if it is closed while a channel is about to be followed', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    cleanups.push(() => vi.useRealTimers());
    const [, one] = shared();
    await (await follow(one, 'before')).following.stop();
    const run = RedisConnection.prototype.run;
    let closing: Promise<void> | undefined;
    const spy = vi.spyOn(RedisConnection.prototype, 'run').mockImplementation(function (
      this: never,
      ...args
    ) {
      const answer = run.apply(this, args);
      // While the answer is on its way.
      closing ??= one.close();
      return answer;
    });
    cleanups.push(() => spy.mockRestore());
    await expect(follow(one, 'a')).rejects.toThrow('was closed');
    await closing;
    expect(vi.getTimerCount()).toBe(0);
  });

  it('carries messages without a history too', async () => {
    const [, one, other] = shared();
    const seen: string[] = [];
    const leave = await other.subscribe('a', (message) => seen.push(message));
    await one.publish('a', '1');
    await until(() => expect(seen).toEqual(['1']));
    await leave();
    await other.close();
    await expect(other.append('a', '2', limits)).rejects.toThrow('was closed');
  });

  it('ignores what other programs publish on its channel', async () => {
    const [prefix, one] = shared();
    const { seen } = await follow(one, 'a');
    const redis = await client();
    for (const text of ['', 'x', '- x', 'NaN-NaN x', '1-1 x', '1 2 3'])
      await redis.publish(`${prefix}live:a`, text);
    await one.append('a', '1', limits);
    await until(() => expect(seen.filter((text) => text !== 'lost')).toEqual(['1']));
  });

  it.each([
    ['of another epoch', '2024-11'],
    ['that the server does not have', undefined],
  ])('fetches once for a message with an id %s', async (_, given) => {
    const [prefix, one] = shared();
    await one.append('a', '1', limits);
    const since = vi.spyOn(one, 'since');
    const { seen, following } = await follow(one, 'a');
    const id = given ?? `${following.id.split('-')[0]}-100`;
    const redis = await client();
    await redis.publish(`${prefix}live:a`, `${id} is the month`);
    await until(() => expect(since).toHaveBeenCalled());
    for (const message of numbers(3, 2)) await one.append('a', message, limits);
    await until(() => expect(seen).toEqual(numbers(3, 2)));
    // Each answer would have caused the next one.
    for (let turn = 0; turn < 5; turn++) await one.since('a', following.id);
    expect(since.mock.calls.length).toBeLessThanOrEqual(2 + 5);
    expect(following.id).toMatch(/-4$/);
  });

  it('keeps what is pushed while others are fetched, and fetches what is too much of it', async () => {
    withoutChecks();
    const [prefix, one] = shared();
    const redis = await client();
    const real = one.since.bind(one);
    let release = () => {};
    const since = vi.spyOn(one, 'since').mockImplementation(async (channel, id) => {
      const found = await real(channel, id);
      await new Promise<void>((settle) => {
        release = settle;
      });
      return found;
    });
    const { seen, following } = await follow(one, 'a');
    const epoch = following.id.split('-')[0];
    let sent = 0;
    for (const count of [10, 2_000]) {
      since.mockClear();
      release = () => {};
      // As if it had been published without a push.
      sent += 1;
      await redis.xAdd(`${prefix}messages:a`, `${epoch}-${sent}`, { m: String(sent - 1) });
      await redis.set(`${prefix}place:a`, `${epoch}-${sent}`);
      await one.append('a', String(sent), limits);
      sent += 1;
      await until(() => expect(since).toHaveBeenCalled());
      await Promise.all(numbers(count, sent).map((message) => one.append('a', message, limits)));
      sent += count;
      // The answer on this connection comes behind everything that was pushed on it.
      await (await one.subscribe(`mark ${count}`, () => {}))();
      const all = sent;
      await until(() => {
        release();
        expect(seen.length).toBeGreaterThan(all - count);
      });
      if (count === 10) expect(seen).toHaveLength(all);
      else {
        // 1,024 of them have waited; the next message shows that others are missing.
        expect(seen).toHaveLength(all - count + 1_024);
        await one.append('a', String(sent), limits);
        sent += 1;
      }
      const whole = sent;
      await until(() => {
        release();
        expect(seen).toHaveLength(whole);
      });
      expect(since).toHaveBeenCalledTimes(count === 10 ? 1 : 2);
    }
    expect(seen).toEqual(numbers(sent));
  });

  it('fetches at once what it has missed while its connection was away', async () => {
    withoutChecks();
    const server = await OwnServer.open();
    cleanups.push(() => server.stop());
    const [one, other] = [open(server.url, 'x:'), open(server.url, 'x:')];
    await one.append('a', '0', limits);
    const { seen, following } = await follow(other, 'a');
    const redis = await client(server.url);
    const next = following.id.replace(/1$/, '2');
    // Nothing tells that there is a message but the connection, when it is there again.
    await Promise.all([
      redis.sendCommand(['CLIENT', 'KILL', 'TYPE', 'pubsub']),
      redis.xAdd('x:messages:a', next, { m: '1' }),
      redis.set('x:place:a', next),
    ]);
    await until(() => expect(seen).toEqual(['1']));
  });

  it('leaves no subscription of a channel that it could not follow', async () => {
    const [prefix, one] = shared();
    const redis = await client();
    await redis.lPush(`${prefix}place:a`, 'something else');
    await expect(follow(one, 'a')).rejects.toThrow('WRONGTYPE');
    expect((await redis.pubSubNumSub(`${prefix}live:a`))[`${prefix}live:a`]).toBe(0);
    await redis.del(`${prefix}place:a`);
    const { seen } = await follow(one, 'a');
    await one.append('a', '1', limits);
    await until(() => expect(seen).toEqual(['1']));
  });

  it('keeps no message of an epoch that the server has forgotten', async () => {
    const [prefix, one] = shared();
    const redis = await client();
    for (const message of numbers(3)) await one.append('a', message, limits);
    await redis.del(`${prefix}place:a`);
    await one.append('a', 'new', limits);
    expect(await redis.xLen(`${prefix}messages:a`)).toBe(1);
  });

  it('delivers nothing once it is being closed', async () => {
    const [prefix, one, other] = shared();
    const hole = await Blackhole.open(6379);
    cleanups.push(() => hole.close());
    // Commands go through the hole; the subscriptions go the usual way.
    const redis = await createClient({ url: hole.url }).connect();
    cleanups.push(() => redis.destroy());
    vi.spyOn(redis, 'duplicate').mockReturnValue(createClient({ url: SHARED }) as never);
    const broker = new RedisStreamBroker(redis as never, { prefix, timeoutMs: 1_000 });
    const [closed, control] = [await follow(broker, 'a'), await follow(other, 'a')];
    hole.swallow();
    // It waits for the answer, which does not come.
    const unanswered = expect(broker.publish('b', '')).rejects.toThrow('did not answer');
    const closing = broker.close();
    await one.append('a', '1', limits);
    await until(() => expect(control.seen).toEqual(['1']));
    await closing;
    await unanswered;
    expect(closed.seen).toEqual([]);
  });

  it('keeps no process alive', async () => {
    const set = vi.spyOn(globalThis, 'setInterval');
    cleanups.push(() => set.mockRestore());
    const [, one] = shared();
    await follow(one, 'a');
    await one.setCounts(new Map([['a', 1]]));
    const timers = set.mock.results.map(({ value }) => value as NodeJS.Timeout);
    expect(timers.length).toBeGreaterThanOrEqual(2);
    expect(timers.filter((timer) => timer.hasRef())).toEqual([]);
  });

  it('delivers everything in order after what was missing could not be fetched', async () => {
    const [prefix, one] = shared();
    const redis = await client();
    const { seen, following } = await follow(one, 'a');
    await one.append('a', '1', limits);
    await until(() => expect(seen).toEqual(['1']));
    // Two messages whose push is lost, and which cannot be read for a while.
    const [two, three] = ['2', '3'].map((number) => following.id.replace(/1$/, number)) as [string, string];
    for (const id of [two, three]) await redis.xAdd(`${prefix}messages:a`, id, { m: id.slice(-1) });
    await redis.rename(`${prefix}messages:a`, `${prefix}aside`);
    await redis.set(`${prefix}messages:a`, 'something else');
    const since = vi.spyOn(one, 'since');
    await redis.set(`${prefix}place:a`, three);
    await redis.publish(`${prefix}live:a`, `${three} 3`);
    await until(() => expect(since).toHaveBeenCalled());
    await expect(since.mock.results[0]?.value).rejects.toThrow('WRONGTYPE');
    await redis.del(`${prefix}messages:a`);
    await redis.rename(`${prefix}aside`, `${prefix}messages:a`);
    for (const message of ['4', '5']) await one.append('a', message, limits);
    await until(() => expect(seen).toEqual(['1', '2', '3', '4', '5']));
  });

  it('remembers a channel without a message while it is followed, and not for long afterwards', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    cleanups.push(() => vi.useRealTimers());
    const [prefix, one] = shared();
    const redis = await client();
    const place = `${prefix}place:a`;
    const { seen } = await follow(one, 'a');
    expect(await redis.pTTL(place)).toBeLessThanOrEqual(600_000);
    await redis.pExpire(place, 60_000);
    vi.advanceTimersByTime(120_000);
    await until(async () => expect(await redis.pTTL(place)).toBeGreaterThan(500_000));
    await one.append('a', '1', limits);
    await until(() => expect(seen).toEqual(['1']));
    expect(await redis.pTTL(place)).toBeGreaterThan(80_000_000);
  });

  it('does not forget the place in a channel before its messages', async () => {
    const [prefix, one] = shared();
    const redis = await client();
    await one.append('a', '1', { messages: 1, maxAgeMs: 7 * 86_400_000 });
    await follow(one, 'a');
    expect(await redis.pTTL(`${prefix}place:a`)).toBeGreaterThan(6 * 86_400_000);
    // Who follows it again lets it be known for longer, with and without a message.
    for (const [channel, least] of [
      ['a', 80_000_000],
      ['empty', 500_000],
    ] as const) {
      await follow(one, channel);
      await redis.pExpire(`${prefix}place:${channel}`, 1_000);
      await follow(one, channel);
      expect(await redis.pTTL(`${prefix}place:${channel}`)).toBeGreaterThan(least);
    }
  });
});

describe.skipIf(!available)('presence', () => {
  const cleanups: (() => unknown)[] = [];
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  });

  it('is the sum of the processes that live', async () => {
    const prefix = newPrefix();
    cleanups.push(() => removePrefix(prefix));
    const [one, other] = [
      new RedisStreamBroker(SHARED, { prefix }),
      new RedisStreamBroker(SHARED, { prefix }),
    ];
    cleanups.push(
      () => one.close(),
      () => other.close(),
    );
    await one.setCounts(
      new Map([
        ['a', 2],
        ['b', 1],
        ['__proto__', 3],
      ]),
    );
    await other.setCounts(new Map([['a', 5]]));
    expect([await one.total('a'), await other.total('b'), await one.total('__proto__')]).toEqual([7, 1, 3]);
    await one.setCounts(new Map([['a', 0]]));
    expect(await other.total('a')).toBe(5);
    await other.setCounts(new Map([['a', 0]]));
    const redis = await createClient({ url: SHARED }).connect();
    cleanups.push(() => redis.close());
    expect(await redis.exists(`${prefix}members:a`)).toBe(0);
    expect(await redis.pTTL(`${prefix}members:b`)).toBeGreaterThan(3_000_000);
    await other.setCounts(new Map([['a', 5]]));
    await one.setCounts(new Map(Array.from({ length: 2_500 }, (_, n) => [`many${n}`, 1])));
    expect(await other.total('many2499')).toBe(1);

    // As if it had been killed: its key expires.
    const alive = await redis.keys(`${prefix}process:*`);
    expect(alive).toHaveLength(2);
    for (const key of alive) expect(await redis.pTTL(key)).toBeLessThanOrEqual(30_000);
    await redis.del(alive);
    expect([await one.total('b'), await one.total('a')]).toEqual([0, 0]);
    expect(await redis.exists(`${prefix}members:b`)).toBe(0);
    // It lives nevertheless, and finds out with what it tells next.
    await one.setCounts(new Map([['c', 1]]));
    expect([await other.total('b'), await other.total('c')]).toEqual([1, 1]);
    await one.close();
    expect(await other.total('b')).toBe(0);
  });

  it('ends with a process that closes while it tells its counts, and has no beats afterwards', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    cleanups.push(() => vi.useRealTimers());
    const prefix = newPrefix();
    cleanups.push(() => removePrefix(prefix));
    const [one, other] = [
      new RedisStreamBroker(SHARED, { prefix }),
      new RedisStreamBroker(SHARED, { prefix }),
    ];
    cleanups.push(() => other.close());
    const told = one.setCounts(new Map(Array.from({ length: 2_500 }, (_, n) => [`many${n}`, 1])));
    await one.close();
    await told.catch(() => {});
    for (const channel of ['many0', 'many2499']) expect(await other.total(channel)).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
    const never = new RedisStreamBroker(SHARED, { prefix });
    await never.close();
    await expect(never.setCounts(new Map([['a', 1]]))).rejects.toThrow('was closed');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('tells the last counts when telling them has failed', async () => {
    const prefix = newPrefix();
    cleanups.push(() => removePrefix(prefix));
    const one = new RedisStreamBroker(SHARED, { prefix });
    cleanups.push(() => one.close());
    const redis = await createClient({ url: SHARED }).connect();
    cleanups.push(() => redis.close());
    const counts = (count: number) => new Map([['a', count]]);
    // It refuses the counts of one channel, and keeps its data.
    const members = `${prefix}members:a`;
    await redis.set(members, 'something else');
    const told = await Promise.allSettled([one.setCounts(counts(1)), one.setCounts(counts(2))]);
    expect(told.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await redis.del(members);
    await one.setCounts(new Map([['b', 1]]));
    expect([await one.total('a'), await one.total('b')]).toEqual([2, 1]);
  });

  it('tells with the next beat what could not be told', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    cleanups.push(() => vi.useRealTimers());
    const prefix = newPrefix();
    cleanups.push(() => removePrefix(prefix));
    const one = new RedisStreamBroker(SHARED, { prefix });
    cleanups.push(() => one.close());
    const redis = await createClient({ url: SHARED }).connect();
    cleanups.push(() => redis.close());
    const members = `${prefix}members:a`;
    await redis.set(members, 'something else');
    await expect(one.setCounts(new Map([['a', 3]]))).rejects.toThrow('WRONGTYPE');
    await redis.del(members);
    vi.advanceTimersByTime(10_000);
    await expect.poll(() => one.total('a')).toBe(3);
    // Each beat keeps the process alive, also without news.
    const [alive = ''] = await redis.keys(`${prefix}process:*`);
    await redis.pExpire(alive, 20_000);
    vi.advanceTimersByTime(10_000);
    await expect.poll(() => redis.pTTL(alive)).toBeGreaterThan(20_000);
    // All are told from time to time, well before the server forgets them.
    await redis.del(members);
    vi.advanceTimersByTime(120 * 10_000);
    await expect.poll(() => one.total('a')).toBe(3);
  });
});
