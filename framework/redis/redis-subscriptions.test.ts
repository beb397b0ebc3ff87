// Subscriptions of a process, with a connection that the test plays.
import { expect, it } from 'vitest';
import type { RedisClient } from './redis-client.js';
import type { RedisConnection } from './redis-connection.js';
import { RedisSubscriptions } from './redis-subscriptions.js';

/** A connection whose messages come from the test. */
function played(): { redis: RedisConnection; deliver(channel: string, message: string): void } {
  const channels = new Map<string, (message: string) => void>();
  const client = {
    on: () => client,
    subscribe: async (channel: string, listener: (message: string) => void) =>
      void channels.set(channel, listener),
    // What is on its way arrives all the same.
    unsubscribe: async () => {},
    destroy: () => {},
  };
  const redis = {
    duplicate: async () => client as unknown as RedisClient,
    within: <Value>(work: Promise<Value>) => work,
  };
  return {
    redis: redis as unknown as RedisConnection,
    deliver: (channel, message) => channels.get(channel)?.(message),
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
