// Clients that resume while a broker with a history is away.
import { afterEach, expect, it, vi } from 'vitest';
import type { HistoryBroker, HistoryListener, HistoryMessage } from '../../streaming/channel-broker.js';
import type { ChannelMember } from '../channel-member.js';
import { ChannelManager } from './channel-manager.js';

/** A broker in memory whose history cannot be had while it is away. */
class FailingBroker implements HistoryBroker {
  isAway = false;
  asked = 0;
  readonly #kept: HistoryMessage[] = [];
  readonly #followers = new Set<HistoryListener>();

  async publish(): Promise<void> {}
  async subscribe(): Promise<() => Promise<void>> {
    return async () => {};
  }
  async append(_channel: string, message: string): Promise<void> {
    const kept = { id: `1-${this.#kept.length + 1}`, message };
    this.#kept.push(kept);
    for (const follower of this.#followers) follower.onMessage(kept);
  }
  async since(_channel: string, id: string): Promise<readonly HistoryMessage[]> {
    this.asked += 1;
    if (this.isAway) throw new Error('the broker is away');
    return this.#kept.slice(Number(id.slice(2)));
  }
  async follow(_channel: string, follower: HistoryListener) {
    this.#followers.add(follower);
    const kept = this.#kept;
    return {
      get id() {
        return `1-${kept.length}`;
      },
      stop: async () => void this.#followers.delete(follower),
    };
  }
  async close(): Promise<void> {}
}

/** A client that got the message with the id last. */
function member(id?: string) {
  const got: unknown[] = [];
  let close = (): void => {};
  const one: ChannelMember = {
    isOpen: true,
    isResumable: true,
    sendFrame: ({ payload }) => got.push(JSON.parse(String(payload))) > 0,
    whenClosed: (callback) => {
      close = callback;
    },
    takeResumePoint: () => id,
  };
  return { one, got, close: () => close() };
}

async function start() {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {});
  const broker = new FailingBroker();
  const channels = new ChannelManager({ broker, history: { messages: 10_000 } });
  const stays = member();
  await channels.subscribe(stays.one, 'a');
  for (const n of [1, 2, 3]) await channels.emit('a', 'n', n);
  broker.isAway = true;
  return { broker, channels, log };
}

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

it('get what they missed when it is back, before what came meanwhile', async () => {
  const { broker, channels, log } = await start();
  const { one, got } = member('1-1');
  const subscribed = channels.subscribe(one, 'a');
  await vi.waitFor(() => expect(broker.asked).toBeGreaterThan(2));
  await channels.emit('a', 'n', 4);
  expect(got).toEqual([]);
  broker.isAway = false;
  await subscribed;
  expect(got).toEqual([2, 3, 4].map((n) => ({ event: 'n', data: n, topic: 'a', id: `1-${n}` })));
  expect(log).toHaveBeenCalledTimes(1);
});

it('are not waited for when they leave', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  const { broker, channels } = await start();
  const { one, got, close } = member('1-1');
  const subscribed = channels.subscribe(one, 'a');
  await vi.waitFor(() => expect(broker.asked).toBeGreaterThan(0));
  // The wait before the next attempt has begun.
  await new Promise((resolve) => setImmediate(resolve));
  close();
  await subscribed;
  const { asked } = broker;
  broker.isAway = false;
  await new Promise((resolve) => setImmediate(resolve));
  expect([got, broker.asked, channels.count('a')]).toEqual([[], asked, 1]);
});

it('are told that they have missed something when too much comes meanwhile', async () => {
  const { broker, channels } = await start();
  const { one, got } = member('1-1');
  const subscribed = channels.subscribe(one, 'a');
  await vi.waitFor(() => expect(broker.asked).toBeGreaterThan(0));
  for (let n = 4; n < 2_000; n++) void channels.emit('a', 'n', n);
  await subscribed;
  expect(got[0]).toEqual({ missed: { topic: 'a', id: '1-1999' } });
});

it('are told so after a minute, and go on', async () => {
  vi.useFakeTimers();
  const { channels } = await start();
  const { one, got } = member('1-1');
  const subscribed = channels.subscribe(one, 'a');
  await vi.advanceTimersByTimeAsync(65_000);
  await subscribed;
  expect(got).toEqual([{ missed: { topic: 'a', id: '1-3' } }]);
  await channels.emit('a', 'n', 4);
  await vi.advanceTimersByTimeAsync(1);
  expect(got).toHaveLength(2);
});
