// A `PubSub` over a real server: what several processes publish, also while the server is killed.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { hasRedis, newPrefix, OwnServer, removePrefix, SHARED } from '../conformance/redis/trial-redis.js';
import { PubSub } from '../index.js';
import { RedisStreamBroker } from './index.js';

/** Also on a machine that is busy. */
const until = (check: () => void) => vi.waitFor(check, { timeout: 60_000 });

describe.skipIf(!(await hasRedis()))('a PubSub with a RedisStreamBroker', () => {
  const cleanups: (() => unknown)[] = [];
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  });

  /** One process. */
  function open(url: string, prefix: string) {
    const broker = new RedisStreamBroker(url, { prefix, timeoutMs: 2000 });
    const changes = new PubSub<number>({ broker });
    cleanups.push(() => broker.close());
    cleanups.push(() => changes.close());
    return changes;
  }

  /** Subscribes again after it has missed messages, as clients do. */
  function listen(changes: PubSub<number>) {
    const heard: (number | 'missed')[] = [];
    void (async () => {
      for (let isMissed = true; isMissed; ) {
        isMissed = false;
        try {
          for await (const message of changes.subscribe('a')) heard.push(message);
        } catch {
          isMissed = true;
          heard.push('missed');
        }
      }
    })();
    return heard;
  }

  it('carries the messages of each process to all, in one order', async () => {
    const prefix = newPrefix();
    cleanups.push(() => removePrefix(prefix));
    const [one, other] = [open(SHARED, prefix), open(SHARED, prefix)];
    await Promise.all([one.start(), other.start()]);
    const [near, far] = [listen(one), listen(other)];
    for (let message = 0; message < 200; message += 2) {
      one.publish('a', message);
      other.publish('a', message + 1);
    }
    await until(() => expect([near.length, far.length]).toEqual([200, 200]));
    expect(near).toEqual(far);
    expect([...near].sort((a, b) => Number(a) - Number(b))).toEqual(Array.from({ length: 200 }, (_, n) => n));
  });

  it('starts without the server, and reaches all when it is there, is killed, and is back', async () => {
    const report = vi.spyOn(console, 'error').mockImplementation(() => {});
    cleanups.push(() => report.mockRestore());
    const server = await OwnServer.open();
    cleanups.push(() => server.stop());
    await server.stop();
    const [one, other] = [open(server.url, 'x:'), open(server.url, 'x:')];
    await Promise.all([one.start(), other.start()]);
    const [near, far] = [listen(one), listen(other)];
    one.publish('a', 1);
    expect(await vi.waitFor(() => near[0] ?? Promise.reject(new Error('nothing yet')))).toBe(1);
    await server.start();
    await until(() =>
      expect([near, far]).toEqual([expect.arrayContaining(['missed']), expect.arrayContaining(['missed'])]),
    );
    one.publish('a', 2);
    await until(() => expect([near.at(-1), far.at(-1)]).toEqual([2, 2]));
    await server.stop();
    for (const message of [3, 4]) one.publish('a', message);
    await until(() => expect(near.slice(-2)).toEqual([3, 4]));
    const heardBefore = far.length;
    await server.start();
    // The server is empty: what it gets before the other process follows again is missed, which is said.
    await until(() => {
      const news = far.slice(heardBefore);
      expect(news.includes('missed') || (news.includes(3) && news.includes(4))).toBe(true);
    });
    await until(() => {
      one.publish('a', 5);
      expect([near.at(-1), far.at(-1)]).toEqual([5, 5]);
    });
    expect(near.filter((message) => message === 3)).toHaveLength(1);
  });
});
