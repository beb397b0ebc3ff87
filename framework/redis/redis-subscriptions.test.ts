// Subscriptions of a process, with a connection that the test plays.
import { describe, expect, it, vi } from 'vitest';
import { subscribe } from '../tracing/subscribe.js';
import type { RedisClient } from './redis-client.js';
import type { RedisConnection } from './redis-connection.js';
import { RedisSubscriptions } from './redis-subscriptions.js';

/** A connection whose messages come from the test. */
function played() {
  const channels = new Map<string, (message: string) => void>();
  const asked: string[] = [];
  const client = {
    on: vi.fn(() => client),
    subscribe: async (channel: string, listener: (message: string) => void) => {
      asked.push(`subscribe ${channel}`);
      channels.set(channel, listener);
    },
    // What is on its way arrives all the same.
    unsubscribe: async (channel: string) => void asked.push(`unsubscribe ${channel}`),
    destroy: vi.fn(),
  };
  const duplicate = vi.fn(async () => client as unknown as RedisClient);
  const redis = {
    duplicate,
    within: <Value>(work: Promise<Value>) => work,
  };
  return {
    asked,
    client,
    duplicate,
    redis: redis as unknown as RedisConnection,
    deliver: (channel: string, message: string) => channels.get(channel)?.(message),
  };
}

it('delivers nothing that was on its way when they were cleared', async () => {
  const { redis, deliver } = played();
  const subscriptions = new RedisSubscriptions(redis);
  const seen: string[] = [];
  await subscriptions.subscribe('a', (message) => seen.push(`a ${message}`));
  await subscriptions.subscribe('b', (message) => seen.push(`b ${message}`));
  deliver('a', '1');
  subscriptions.clear();
  for (const channel of ['a', 'b']) deliver(channel, '2');
  expect(seen).toEqual(['a 1']);
});

it('delivers to others after one has left, and to nobody after the last', async () => {
  const { redis, deliver } = played();
  const subscriptions = new RedisSubscriptions(redis);
  const seen: string[] = [];
  const leaveOne = await subscriptions.subscribe('a', (message) => seen.push(`one ${message}`));
  const leaveOther = await subscriptions.subscribe('a', (message) => seen.push(`other ${message}`));
  await leaveOne();
  deliver('a', '1');
  await leaveOther();
  deliver('a', '2');
  expect(seen).toEqual(['other 1']);
});

describe('the server', () => {
  it('is told of the first subscription to a channel, and of the end of the last', async () => {
    const { redis, asked, duplicate } = played();
    const subscriptions = new RedisSubscriptions(redis);
    const [one, other] = await Promise.all([
      subscriptions.subscribe('a', () => {}),
      subscriptions.subscribe('a', () => {}),
    ]);
    await subscriptions.subscribe('b', () => {});
    expect(asked).toEqual(['subscribe a', 'subscribe b']);
    await one();
    await one();
    expect(asked).toHaveLength(2);
    await other();
    await other();
    expect(asked.slice(2)).toEqual(['unsubscribe a']);
    await subscriptions.subscribe('a', () => {});
    // What has ended before ends nothing of it.
    await other();
    expect(asked.slice(3)).toEqual(['subscribe a']);
    expect(duplicate).toHaveBeenCalledOnce();
  });

  it('is asked again after a failure, of which nothing is left', async () => {
    const { redis, asked, client, duplicate, deliver } = played();
    const subscriptions = new RedisSubscriptions(redis);
    const seen: string[] = [];
    duplicate.mockRejectedValueOnce(new Error('away'));
    const failing = [1, 2].map(() => subscriptions.subscribe('a', (message) => seen.push(message)));
    for (const one of failing) await expect(one).rejects.toThrow('away');
    const { subscribe: real } = client;
    client.subscribe = async (channel, listener) => {
      await real(channel, listener);
      throw new Error('refused');
    };
    await expect(subscriptions.subscribe('a', (message) => seen.push(message))).rejects.toThrow('refused');
    deliver('a', 'lost');
    client.subscribe = real;
    await subscriptions.subscribe('a', (message) => seen.push(message));
    deliver('a', 'got');
    expect(seen).toEqual(['got']);
    expect(asked.filter((text) => text === 'subscribe a')).toHaveLength(2);
    expect(duplicate).toHaveBeenCalledTimes(2);
  });

  it('may be away when a subscription ends', async () => {
    const { redis, client, deliver } = played();
    const subscriptions = new RedisSubscriptions(redis);
    const seen: string[] = [];
    const leave = await subscriptions.subscribe('a', (message) => seen.push(message));
    client.unsubscribe = () => Promise.reject(new Error('away'));
    await expect(leave()).resolves.toBeUndefined();
    deliver('a', '1');
    expect(seen).toEqual([]);
  });
});

it('ends its connection, if it has one', async () => {
  const { redis, client, duplicate } = played();
  const none = new RedisSubscriptions(redis);
  await none.destroy();
  expect(client.destroy).not.toHaveBeenCalled();
  duplicate.mockRejectedValueOnce(new Error('away'));
  await expect(none.subscribe('a', () => {})).rejects.toThrow('away');
  await none.destroy();
  const one = new RedisSubscriptions(redis);
  await one.subscribe('a', () => {});
  await one.destroy();
  expect(client.destroy).toHaveBeenCalledOnce();
});

it('says when its connection is there again, if somebody wants to know', async () => {
  const { redis, client } = played();
  await new RedisSubscriptions(redis).subscribe('a', () => {});
  expect(client.on).not.toHaveBeenCalled();
  const onReady = () => {};
  await new RedisSubscriptions(redis, onReady).subscribe('a', () => {});
  expect(client.on.mock.calls).toEqual([['ready', onReady]]);
});

it('reports a listener that throws, with its channel, and calls the others', async () => {
  const { redis, deliver } = played();
  const subscriptions = new RedisSubscriptions(redis);
  const events: unknown[] = [];
  const stop = subscribe(({ fields }) => void events.push(fields));
  const seen: string[] = [];
  await subscriptions.subscribe('a', () => {
    throw new Error('from the listener');
  });
  await subscriptions.subscribe('a', (message) => seen.push(message));
  deliver('a', '1');
  stop();
  expect(seen).toEqual(['1']);
  expect(events).toEqual([
    expect.objectContaining({ error: new Error('from the listener'), status: 500, path: 'a' }),
  ]);
});
