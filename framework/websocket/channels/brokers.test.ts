import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { TrialBroker } from '../../conformance/websocket/trial-broker.js';
import { TrialServer } from '../../conformance/websocket/trial-member.js';
import { subscribe } from '../../tracing/subscribe.js';
import { ChannelManager } from './channel-manager.js';

let server: TrialServer;
const errors: unknown[] = [];
let unsubscribe: () => void;
beforeAll(async () => {
  server = await TrialServer.open();
  unsubscribe = subscribe(({ fields }) => errors.push((fields.error as Error).message));
});
afterEach(() => errors.splice(0));
afterAll(async () => {
  unsubscribe();
  await server.close();
});

/** What a promise is waiting for, and what ends the wait. */
function gate(): { promise: Promise<void>; open(): void } {
  let open = () => {};
  const promise = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { promise, open };
}

describe('with a broker', () => {
  it('topics span processes, with texts that look like anything, and bytes', async () => {
    const broker = new TrialBroker();
    const [one, other] = [new ChannelManager({ broker }), new ChannelManager({ broker })];
    const [here, there] = [await server.connect(), await server.connect()];
    await Promise.all([one.subscribe(here.member, 'a'), other.subscribe(there.member, 'a')]);
    const texts = ['x', '', '\0', '\0bAAAA', '\0t', '\0e{"x":1}', '{"event":"said"}'];
    const bytes = Buffer.from([0, 1, 254, 255]);
    for (const text of texts) one.publish('a', text);
    one.publish('a', new Uint8Array(bytes));
    await one.emit('a', 'said', { x: 1 });
    const all = [...texts, bytes, '{"event":"said","data":{"x":1}}'];
    await vi.waitFor(() => expect([here.got, there.got]).toEqual([all, all]));
    await broker.publish('topic:a', 'of another program');
    await broker.publish('topic:a', '\0?');
    expect(errors.splice(0)).toEqual(Array(2).fill(expect.stringContaining('an unknown form')));
    await vi.waitFor(() => expect(there.got.at(-1)).toBe('of another program'));
    other.add((await server.connect()).member);
    one.broadcastAll('to all');
    await vi.waitFor(() => expect([here.got.at(-1), there.got.at(-1)]).toEqual(['to all', 'to all']));
  });

  it('there is one subscription for each topic, from the first subscriber to the last', async () => {
    const broker = new TrialBroker();
    const channels = new ChannelManager({ broker });
    const [one, other] = [await server.connect(), await server.connect()];
    await Promise.all([channels.subscribe(one.member, 'a'), channels.subscribe(other.member, 'a')]);
    await channels.subscribe(one.member, 'a');
    channels.unsubscribe(one.member, 'a');
    expect(broker.calls).toEqual(['subscribe broadcast', 'subscribe topic:a']);
    other.client.terminate();
    await vi.waitFor(() => expect(broker.count('topic:a')).toBe(0));
    one.client.terminate();
    await vi.waitFor(() => expect(broker.count('broadcast')).toBe(0));
    expect(broker.calls.slice(2)).toEqual(['leave topic:a', 'leave broadcast']);
    expect(channels.topics()).toEqual([]);
  });

  it('what is wanted last is so, also if the broker is slow', async () => {
    const broker = new TrialBroker();
    const channels = new ChannelManager({ broker });
    const { member, got } = await server.connect();
    channels.add(member);
    await vi.waitFor(() => expect(broker.count('broadcast')).toBe(1));
    const slow = gate();
    broker.gate = slow.promise;
    const first = channels.subscribe(member, 'a');
    channels.unsubscribe(member, 'a');
    const second = channels.subscribe(member, 'a');
    channels.unsubscribe(member, 'a');
    const third = channels.subscribe(member, 'a');
    // Published after subscribing, so it must arrive, and in order.
    channels.publish('a', '1');
    channels.publish('a', '2');
    expect(broker.calls.slice(1)).toEqual(['subscribe topic:a']);
    slow.open();
    await Promise.all([first, second, third]);
    await vi.waitFor(() => expect(got).toEqual(['1', '2']));
    expect(broker.count('topic:a')).toBe(1);

    const slower = gate();
    broker.gate = slower.promise;
    channels.unsubscribe(member, 'a');
    const fourth = channels.subscribe(member, 'a');
    channels.unsubscribe(member, 'a');
    slower.open();
    await fourth;
    await vi.waitFor(() => expect(broker.count('topic:a')).toBe(0));
    await vi.waitFor(() => expect(channels.topics()).toEqual([]));
  });

  it('subscribing waits for one that is away, and reports it once', async () => {
    const broker = new TrialBroker();
    broker.isAway = true;
    const channels = new ChannelManager({ broker });
    const { member, got } = await server.connect();
    let isLive = false;
    const live = channels.subscribe(member, 'a').then(() => {
      isLive = true;
    });
    await vi.waitFor(() =>
      expect(broker.calls.filter((call) => call === 'subscribe topic:a').length).toBeGreaterThan(2),
    );
    expect([isLive, channels.count('a')]).toEqual([false, 1]);
    broker.isAway = false;
    await live;
    await channels.publish('a', '1');
    await vi.waitFor(() => expect(got).toEqual(['1']));
    // One for the topic, one for messages to all.
    expect(errors).toEqual(['the broker is away', 'the broker is away']);
    broker.isAway = true;
    const never = channels.subscribe(member, 'b');
    channels.unsubscribe(member, 'b');
    await never;
    broker.isAway = false;
  });

  it('publishing to one that is away rejects, is reported once, and ends no process', async () => {
    const broker = new TrialBroker();
    const channels = new ChannelManager({ broker });
    const unhandled: unknown[] = [];
    const listen = (error: unknown) => unhandled.push(error);
    process.on('unhandledRejection', listen);
    broker.isAway = true;
    channels.publish('a', '1');
    channels.emit('a', 'said', {});
    await expect(channels.publish('a', '2')).rejects.toThrow('the broker is away');
    expect(errors).toEqual(['the broker is away']);
    broker.isAway = false;
    await channels.publish('a', '3');
    broker.isAway = true;
    await expect(channels.publish('a', '4')).rejects.toThrow();
    expect(errors).toHaveLength(2);
    expect(unhandled).toEqual([]);
    process.off('unhandledRejection', listen);
  });

  it('a topic may be resumed only with one that keeps messages', async () => {
    const broker = new TrialBroker();
    expect(() => new ChannelManager({ broker, history: { messages: 1 } })).toThrow(
      'this broker keeps no messages',
    );
    expect(() => new ChannelManager({ broker, presence: true })).toThrow('this broker has no presence');
    expect(() => new ChannelManager({ broker: {} as never })).toThrow(
      'broker is an object; give a ChannelBroker',
    );
    const channels = new ChannelManager({ broker });
    const { member, got } = await server.connect({ a: '1-1' });
    await channels.subscribe(member, 'a');
    await vi.waitFor(() => expect(got).toEqual(['{"missed":{"topic":"a"}}']));
    await expect(channels.presence('a')).rejects.toThrow('presence: true');
    await channels.close();
    await vi.waitFor(() => expect(broker.count('topic:a')).toBe(0));
  });
});
