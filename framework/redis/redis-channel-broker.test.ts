import { createClient } from 'redis';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Blackhole, hasRedis, newPrefix, OwnServer, SHARED } from '../conformance/redis/trial-redis.js';
import { subscribe } from '../tracing/subscribe.js';
import { RedisChannelBroker, RedisStreamBroker } from './index.js';

const available = await hasRedis();

describe.skipIf(!available)('RedisChannelBroker', () => {
  const cleanups: (() => unknown)[] = [];
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  });
  function brokerAt(url: string, prefix: string): RedisChannelBroker {
    const broker = new RedisChannelBroker(url, { prefix, timeoutMs: 3000 });
    cleanups.push(() => broker.close());
    return broker;
  }

  it('carries messages to every subscriber of the channel, in order', async () => {
    const prefix = newPrefix();
    const [one, other] = [brokerAt(SHARED, prefix), brokerAt(SHARED, prefix)];
    const seen: string[] = [];
    await one.subscribe('a', (message) => seen.push(`one ${message}`));
    await other.subscribe('a', (message) => seen.push(`other ${message}`));
    await other.subscribe('b', (message) => seen.push(`b ${message}`));
    for (const message of ['1', '2', 'é\n']) await one.publish('a', message);
    await vi.waitFor(() => expect(seen).toHaveLength(6));
    for (const name of ['one', 'other']) {
      expect(seen.filter((message) => message.startsWith(`${name} `))).toEqual([
        `${name} 1`,
        `${name} 2`,
        `${name} é\n`,
      ]);
    }
  });

  it.each([RedisChannelBroker, RedisStreamBroker])(
    'closes the connection of its subscriptions, and no client that was given: %o',
    async (Broker) => {
      const client = await createClient({ url: SHARED }).connect();
      cleanups.push(() => client.close());
      const made: { readonly isOpen: boolean }[] = [];
      const duplicate = client.duplicate.bind(client);
      vi.spyOn(client, 'duplicate').mockImplementation((...args) => {
        const copy = duplicate(...args);
        made.push(copy as never);
        return copy;
      });
      const broker = new Broker(client as never, { prefix: newPrefix() });
      await broker.subscribe('a', () => {});
      await broker.subscribe('b', () => {});
      expect(made.map(({ isOpen }) => isOpen)).toEqual([true]);
      await broker.close();
      expect(made.map(({ isOpen }) => isOpen)).toEqual([false]);
      expect(client.isOpen).toBe(true);
    },
  );

  it('has published what it was given before it is closed', async () => {
    const broker = brokerAt(SHARED, newPrefix());
    await broker.publish('a', '1');
    const sent = broker.publish('a', '2');
    await broker.close();
    await expect(sent).resolves.toBeUndefined();
    await expect(broker.publish('a', '3')).rejects.toThrow('the connection to Redis was closed');
  });

  it('ends single subscriptions, and tells the server of the last', async () => {
    const prefix = newPrefix();
    const broker = brokerAt(SHARED, prefix);
    const client = await createClient({ url: SHARED }).connect();
    cleanups.push(() => client.close());
    const count = async () => (await client.pubSubNumSub(`${prefix}a`))[`${prefix}a`];
    const seen: string[] = [];
    const listener = (message: string) => seen.push(message);
    const [leaveOne, leaveOther] = [
      await broker.subscribe('a', listener),
      await broker.subscribe('a', listener),
    ];
    await broker.publish('a', '1');
    await vi.waitFor(() => expect(seen).toEqual(['1', '1']));
    await leaveOne();
    await leaveOne();
    expect(await count()).toBe(1);
    await leaveOther();
    expect(await count()).toBe(0);
    const left = broker.subscribe('a', listener).then((leave) => leave());
    await Promise.all([left, broker.subscribe('a', listener)]);
    expect(await count()).toBe(1);
    await broker.publish('a', '2');
    await vi.waitFor(() => expect(seen).toEqual(['1', '1', '2']));
    await broker.close();
    await vi.waitFor(async () => expect(await count()).toBe(0));
    await expect(broker.publish('a', '3')).rejects.toThrow('was closed');
  });

  it('reports a listener that throws, and calls the others', async () => {
    const broker = brokerAt(SHARED, newPrefix());
    const errors: unknown[] = [];
    cleanups.push(subscribe(({ fields }) => errors.push((fields.error as Error | undefined)?.message)));
    const seen: string[] = [];
    await broker.subscribe('a', () => {
      throw new Error('from the listener');
    });
    await broker.subscribe('a', (message) => seen.push(message));
    await broker.publish('a', '1');
    await vi.waitFor(() => expect(seen).toEqual(['1']));
    expect(errors).toContain('from the listener');
  });

  it('keeps its subscriptions over a restart of the server, and takes new ones afterwards', async () => {
    const server = await OwnServer.open();
    cleanups.push(() => server.stop());
    const broker = brokerAt(server.url, 'x:');
    const seen = new Set<string>();
    await broker.subscribe('a', (message) => seen.add(`a ${message}`));
    const leave = await broker.subscribe('b', (message) => seen.add(`b ${message}`));
    await server.stop();
    await vi.waitFor(() => expect(broker.publish('a', '1')).rejects.toThrow());
    await expect(broker.subscribe('c', () => {})).rejects.toThrow();
    await leave();
    await server.start();
    await vi.waitFor(
      async () => {
        await broker.publish('a', '2');
        await broker.publish('b', '2');
        expect(seen).toContain('a 2');
      },
      { timeout: 60_000, interval: 50 },
    );
    await broker.subscribe('c', (message) => seen.add(`c ${message}`));
    await broker.publish('c', '3');
    await vi.waitFor(() => expect(seen).toContain('c 3'));
    expect([...seen].filter((message) => message.startsWith('b'))).toEqual([]);
  });

  it('subscribes when the server comes back, though it was away at the first attempt', async () => {
    const server = await OwnServer.open();
    cleanups.push(() => server.stop());
    const broker = brokerAt(server.url, 'x:');
    await broker.publish('a', '0');
    await server.stop();
    const seen: string[] = [];
    const subscribed = () => broker.subscribe('a', (message) => seen.push(message));
    await expect(subscribed()).rejects.toThrow();
    await server.start();
    const leave = await vi.waitFor(subscribed, { timeout: 60_000 });
    await broker.publish('a', '1');
    await expect.poll(() => seen).toEqual(['1']);
    await leave();
  });

  it('ends a second connection that was not answered', async () => {
    const hole = await Blackhole.open(6379);
    cleanups.push(() => hole.close());
    const broker = brokerAt(hole.url, newPrefix());
    await broker.publish('a', '1');
    hole.swallow();
    await expect(broker.subscribe('a', () => {})).rejects.toThrow('did not answer within 3000 ms');
    await vi.waitFor(() => expect(hole.open).toBe(1));
  });

  it('gives up a server that does not answer, and closes', async () => {
    const hole = await Blackhole.open(6379);
    cleanups.push(() => hole.close());
    const broker = brokerAt(hole.url, newPrefix());
    await broker.subscribe('a', () => {});
    hole.swallow();
    await expect(broker.subscribe('b', () => {})).rejects.toThrow('did not answer within 3000 ms');
    await broker.close();
    await vi.waitFor(() => expect(hole.open).toBe(0));
  });
});
