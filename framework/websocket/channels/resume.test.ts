// Resuming a topic while the history is ahead of what this process has been pushed.
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { TrialServer } from '../../conformance/websocket/trial-member.js';
import type { HistoryBroker, HistoryListener, HistoryMessage } from '../../streaming/channel-broker.js';
import { toBrokerText } from './broker-exchange.js';
import { ChannelManager } from './channel-manager.js';

let server: TrialServer;
beforeAll(async () => {
  server = await TrialServer.open();
});
afterAll(() => server.close());

const kept = (n: number): HistoryMessage => ({
  id: `1-${n}`,
  message: toBrokerText({ payload: `{"event":"n","data":${n}}`, isEvent: true }),
});

/** A broker whose messages are pushed when the test says so. */
class SlowBroker implements HistoryBroker {
  follower: HistoryListener | undefined;
  place = 1;
  history = [1, 2, 3, 4];

  push(n: number): void {
    this.place = n;
    this.follower?.onMessage(kept(n));
  }

  async follow(_channel: string, follower: HistoryListener) {
    this.follower = follower;
    const id = () => `1-${this.place}`;
    return {
      get id() {
        return id();
      },
      stop: async () => {},
    };
  }

  async since(_channel: string, id: string): Promise<HistoryMessage[]> {
    return this.history.filter((n) => n > Number(id.slice(2))).map(kept);
  }

  async append(): Promise<void> {}
  async publish(): Promise<void> {}
  async subscribe() {
    return async () => {};
  }
  async close(): Promise<void> {}
}

const dataOf = (got: readonly unknown[]) =>
  got.map((text) => (JSON.parse(String(text)) as { data: number }).data);

it.each([
  ['behind what the client has', 3, [4, 5]],
  ['behind the history', 1, [2, 3, 4, 5]],
  ['at the end, where the client is too', 4, [5]],
])('a process that is %s repeats nothing and loses nothing', async (_, resumeAt, expected) => {
  const broker = new SlowBroker();
  const channels = new ChannelManager({ broker, history: { messages: 100 } });
  const { member, got } = await server.connect({ a: `1-${resumeAt}` });
  const resumed = channels.subscribe(member, 'a');
  await vi.waitFor(() => expect(broker.follower).toBeDefined());
  for (const n of [2, 3, 4, 5]) {
    await new Promise(setImmediate);
    broker.push(n);
  }
  await resumed;
  await vi.waitFor(() => expect(dataOf(got)).toEqual(expected));
  await channels.close();
});

it('a client that leaves while its process is behind does not keep the subscription waiting', async () => {
  const broker = new SlowBroker();
  const channels = new ChannelManager({ broker, history: { messages: 100 } });
  const { member, client, got } = await server.connect({ a: '1-1' });
  const resumed = channels.subscribe(member, 'a');
  await vi.waitFor(() => expect(broker.follower).toBeDefined());
  await new Promise(setImmediate);
  client.terminate();
  await resumed;
  expect([got, channels.count('a')]).toEqual([[], 0]);
  await channels.close();
});
