// A `PubSub` in several processes: what one publishes, the others hear, also after the broker was away.
import diagnostics from 'node:diagnostics_channel';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { FwErrorEvent } from '../tracing/error-channel.js';
import type { HistoryBroker, HistoryListener } from './channel-broker.js';
import { PubSub } from './pub-sub.js';
import { MissedMessagesError } from './pub-sub-subscription.js';

/** Carries messages at once, while it is not away. */
class TrialBroker implements HistoryBroker {
  readonly listeners = new Set<HistoryListener>();
  readonly texts: string[] = [];
  isAway = false;
  tries = 0;
  /** A follow that waits. */
  gate: Promise<void> | undefined;

  async append(_channel: string, message: string): Promise<void> {
    this.#tried();
    this.texts.push(message);
    for (const listener of this.listeners) listener.onMessage({ id: '1-1', message });
  }

  async follow(_channel: string, listener: HistoryListener) {
    this.#tried();
    await this.gate;
    this.listeners.add(listener);
    return {
      id: '1-0',
      stop: async () => {
        this.listeners.delete(listener);
      },
    };
  }

  #tried(): void {
    this.tries += 1;
    if (this.isAway) throw new Error('the broker is away');
  }

  publish = () => Promise.reject(new Error('not used'));
  subscribe = () => Promise.reject(new Error('not used'));
  since = () => Promise.reject(new Error('not used'));
  async close() {}
}

const reported: FwErrorEvent[] = [];
const report = (event: unknown): void => void reported.push(event as FwErrorEvent);
beforeEach(() => {
  vi.useFakeTimers();
  reported.length = 0;
  diagnostics.subscribe('fw:error', report);
});
afterEach(() => {
  diagnostics.unsubscribe('fw:error', report);
  vi.useRealTimers();
});

async function processes(broker = new TrialBroker()) {
  const [here, there] = [new PubSub<unknown>({ broker }), new PubSub<unknown>({ broker })];
  await Promise.all([here.start(), there.start()]);
  return { broker, here, there };
}

/** What a subscriber hears: messages, and why it has missed some. */
function listen(changes: PubSub<unknown>, topic = 'ada') {
  const heard: unknown[] = [];
  const ended = (async () => {
    for await (const message of changes.subscribe(topic)) heard.push(message);
  })().catch((error: unknown) => {
    if (!(error instanceof MissedMessagesError)) throw error;
    heard.push(error.message.replace('the subscriber has missed messages: ', ''));
  });
  return { heard, ended };
}

/** A follow waits until the returned function is called. */
function closeGate(broker: TrialBroker): () => void {
  let open = (): void => {};
  broker.gate = new Promise((resolve) => {
    open = resolve;
  });
  return open;
}

/** Everything that needs no timer has happened then. */
const settled = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0);

describe('a PubSub with a broker', () => {
  it('reaches the subscribers of a topic in every process, once, and no others', async () => {
    const { here, there, broker } = await processes();
    const subscribers = [listen(here), listen(there)];
    const other = listen(there, 'bob');
    here.publish('ada', { list: 1 });
    there.publish('ada', ['x', null]);
    here.publish('ada', undefined);
    await settled();
    for (const { heard } of subscribers) expect(heard).toEqual([{ list: 1 }, ['x', null], undefined]);
    expect(other.heard).toEqual([]);
    expect(broker.texts[0]).toBe('{"topic":"ada","message":{"list":1}}');
    expect(broker.texts[2]).toBe('{"topic":"ada"}');
  });

  it('keeps a topic apart, whatever text it is', async () => {
    const { here, there } = await processes();
    const topic = '__proto__","message":1,"x":"\ud800\0';
    const { heard } = listen(there, topic);
    here.publish(topic, 'a');
    await settled();
    expect(heard).toEqual(['a']);
  });

  it('refuses to subscribe before start, and a message that JSON does not have', async () => {
    const changes = new PubSub<unknown>({ broker: new TrialBroker() });
    expect(() => changes.subscribe('a')).toThrow('app.onStart(() => changes.start())');
    await changes.start();
    expect(() => changes.publish('a', () => {})).toThrow('got function');
    expect(() => changes.publish('a', new Map([[1, 2]]))).toThrow('has no JSON form');
  });

  it('uses the channel that it is given', async () => {
    const broker = new TrialBroker();
    const [append, follow] = [vi.spyOn(broker, 'append'), vi.spyOn(broker, 'follow')];
    for (const options of [{ broker }, { broker, channel: 'prices' }]) {
      const changes = new PubSub<number>(options);
      await changes.start();
      changes.publish('a', 1);
    }
    expect(follow.mock.calls.map(([channel]) => channel)).toEqual(['pubsub', 'prices']);
    expect(append.mock.calls[1]).toEqual([
      'prices',
      expect.any(String),
      { messages: 1000, maxAgeMs: 3_600_000 },
    ]);
  });

  it('delivers to its own process at once while the broker is away, and to the others later, in order', async () => {
    const { here, there, broker } = await processes();
    const [near, far] = [listen(here), listen(there)];
    broker.isAway = true;
    for (const message of [1, 2]) here.publish('ada', message);
    await settled();
    expect([near.heard, far.heard]).toEqual([[1, 2], []]);
    broker.isAway = false;
    here.publish('ada', 3);
    await settled();
    expect([near.heard, far.heard]).toEqual([[1, 2, 3], []]);
    await vi.advanceTimersByTimeAsync(1000);
    expect([near.heard, far.heard]).toEqual([
      [1, 2, 3],
      [1, 2, 3],
    ]);
    here.publish('ada', 4);
    await settled();
    expect([near.heard.at(-1), far.heard.at(-1)]).toEqual([4, 4]);
  });

  it('starts while the broker is away, and tells subscribers that they may have missed messages', async () => {
    const broker = new TrialBroker();
    broker.isAway = true;
    const { here, there } = await processes(broker);
    const subscribers = [listen(here), listen(there)];
    here.publish('ada', 1);
    await vi.advanceTimersByTimeAsync(3000);
    broker.isAway = false;
    await vi.advanceTimersByTimeAsync(1000);
    expect(subscribers[0]?.heard).toEqual([1, 'the broker was away']);
    expect(subscribers[1]?.heard.at(-1)).toBe('the broker was away');
    const again = listen(there);
    here.publish('ada', 2);
    await settled();
    expect(again.heard).toEqual([2]);
  });

  it('tells all subscribers so if it has kept too many messages, or the broker too few', async () => {
    const { here, there, broker } = await processes();
    const far = listen(there, 'bob');
    broker.isAway = true;
    for (let message = 0; message <= 1000; message += 1) here.publish('ada', message);
    await settled();
    broker.isAway = false;
    await vi.advanceTimersByTimeAsync(1000);
    expect(far.heard).toEqual(['the broker was away for too long']);
    expect(broker.texts).toEqual(['{"missed":true}', expect.stringContaining('"message":1000')]);
    const again = listen(there);
    for (const listener of broker.listeners) listener.onLost('2-0');
    await settled();
    expect(again.heard).toEqual(['the broker had kept too few']);
  });

  it('reports each outage once, and what it cannot read, after which it hears the next message', async () => {
    const { here, there, broker } = await processes();
    const { heard } = listen(there);
    broker.isAway = true;
    for (const message of [1, 2]) here.publish('ada', message);
    await vi.advanceTimersByTimeAsync(5000);
    expect(reported).toMatchObject([{ status: 503, method: 'pubsub', path: 'pubsub' }]);
    broker.isAway = false;
    await vi.advanceTimersByTimeAsync(1000);
    broker.isAway = true;
    here.publish('ada', 3);
    await settled();
    expect(reported).toHaveLength(2);
    broker.isAway = false;
    for (const listener of broker.listeners) listener.onMessage({ id: '3-0', message: 'not JSON' });
    expect(reported).toHaveLength(4);
    await vi.advanceTimersByTimeAsync(1000);
    expect(heard).toEqual([1, 2, 3]);
  });

  it('follows once, though the broker takes longer than the next try', async () => {
    const broker = new TrialBroker();
    const open = closeGate(broker);
    const changes = new PubSub<unknown>({ broker });
    const starting = [changes.start(), changes.start()];
    changes.publish('ada', 0);
    const follows = vi.spyOn(broker, 'follow');
    broker.isAway = true;
    changes.publish('ada', 1);
    await vi.advanceTimersByTimeAsync(5000);
    expect(follows).not.toHaveBeenCalled();
    open();
    await Promise.all(starting);
    expect(broker.listeners.size).toBe(1);
  });

  it('stops following and trying again when it is closed, also if the broker answers after that', async () => {
    const { here, there, broker } = await processes();
    broker.isAway = true;
    here.publish('ada', 1);
    there.publish('ada', 1);
    await vi.advanceTimersByTimeAsync(2500);
    await here.close();
    const { tries } = broker;
    await vi.advanceTimersByTimeAsync(1000);
    expect(broker.tries).toBe(tries + 1);
    await there.close();
    expect([broker.listeners.size, vi.getTimerCount()]).toEqual([0, 0]);
    here.publish('ada', 2);
    await vi.advanceTimersByTimeAsync(5000);
    expect(broker.tries).toBe(tries + 2);

    broker.isAway = false;
    const open = closeGate(broker);
    const late = new PubSub({ broker });
    const starting = late.start();
    await late.close();
    open();
    await starting;
    expect([broker.listeners.size, vi.getTimerCount()]).toEqual([0, 0]);
  });

  it('gives the broker at close what it has not taken, and waits for what is on its way', async () => {
    const { here, broker } = await processes();
    broker.isAway = true;
    for (const message of [1, 2]) here.publish('ada', message);
    await settled();
    broker.isAway = false;
    await Promise.all([here.close(), here.close()]);
    expect(broker.texts.map((text) => JSON.parse(text).message)).toEqual([1, 2]);

    const later = new PubSub<unknown>({ broker });
    await later.start();
    let take = (): void => {};
    vi.spyOn(broker, 'append').mockReturnValueOnce(new Promise((resolve) => (take = resolve)));
    later.publish('ada', 3);
    let isClosed = false;
    const closing = later.close().then(() => (isClosed = true));
    await vi.advanceTimersByTimeAsync(5000);
    expect(isClosed).toBe(false);
    take();
    await closing;
    expect([reported.length, vi.getTimerCount()]).toEqual([1, 0]);
  });

  it.each([
    ['is away', () => Promise.reject(new Error('the broker is away'))],
    ['never answers', () => new Promise<never>(() => {})],
  ])('reports at close what other processes miss as the broker %s', async (_, append) => {
    const { here, broker } = await processes();
    vi.spyOn(broker, 'append').mockImplementation(append);
    here.publish('ada', 1);
    const closing = here.close();
    await vi.advanceTimersByTimeAsync(10_000);
    await closing;
    const message =
      "closed before the broker had taken all messages on the channel 'pubsub', which other processes miss";
    expect(reported).toMatchObject([{ error: { message } }]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('waits ten seconds at close for a slow broker, however many messages it has not taken', async () => {
    const { here, broker } = await processes();
    broker.isAway = true;
    for (const message of [1, 2, 3]) here.publish('ada', message);
    await settled();
    reported.length = 0;
    vi.spyOn(broker, 'append').mockImplementation(
      () => new Promise((resolve) => void setTimeout(resolve, 6000)),
    );
    let isClosed = false;
    const closing = here.close().then(() => {
      isClosed = true;
    });
    await vi.advanceTimersByTimeAsync(9_999);
    expect([isClosed, reported.length]).toEqual([false, 0]);
    await vi.advanceTimersByTimeAsync(1);
    expect([isClosed, reported.length]).toEqual([true, 1]);
    await closing;
  });

  it('hears its own message once, though the broker tells of it before it has answered that it follows', async () => {
    const broker = new TrialBroker();
    vi.spyOn(broker, 'follow').mockImplementation(async (_channel, listener) => {
      broker.listeners.add(listener);
      await broker.gate;
      return { id: '1-0', stop: async () => {} };
    });
    const open = closeGate(broker);
    const changes = new PubSub<unknown>({ broker });
    const starting = changes.start();
    const { heard } = listen(changes);
    changes.publish('ada', 1);
    await settled();
    expect(heard).toEqual([1]);
    open();
    await starting;
  });

  it('reports what other programs send on its channel, and ends no subscription for it', async () => {
    const { here, broker } = await processes();
    const { heard } = listen(here);
    const texts = [
      'not JSON',
      'null',
      '7',
      '[]',
      '{}',
      '{"topic":7}',
      '{"missed":"yes"}',
      'x'.repeat(100_000),
    ];
    for (const message of texts) {
      for (const listener of broker.listeners) listener.onMessage({ id: '2-0', message });
    }
    here.publish('ada', 1);
    await settled();
    expect(heard).toEqual([1]);
    expect(reported).toHaveLength(2 * texts.length);
    for (const { error } of reported) {
      const { message } = error as Error;
      expect(message).toMatch(/^a message on the channel 'pubsub' is not of a PubSub: /);
      expect(message.length).toBeLessThan(500);
    }
  });

  it('reports a broker that takes messages and lets nobody follow once', async () => {
    const broker = new TrialBroker();
    vi.spyOn(broker, 'follow').mockRejectedValue(new Error('no permission'));
    const { here } = await processes(broker);
    const before = reported.length;
    for (let second = 0; second < 5; second += 1) {
      here.publish('ada', second);
      await vi.advanceTimersByTimeAsync(1000);
    }
    expect([before, reported.length]).toEqual([2, 2]);
  });

  it('starts, delivers and tries again though the broker never answers', async () => {
    const broker = new TrialBroker();
    const never = new Promise<never>(() => {});
    const follow = vi.spyOn(broker, 'follow').mockReturnValueOnce(never);
    const changes = new PubSub<unknown>({ broker });
    const starting = changes.start();
    await vi.advanceTimersByTimeAsync(10_000);
    await starting;
    expect(reported).toMatchObject([{ error: new Error('the broker did not answer within 10 seconds') }]);
    await vi.advanceTimersByTimeAsync(1000);
    expect(follow).toHaveBeenCalledTimes(2);
    const { heard } = listen(changes);
    vi.spyOn(broker, 'append').mockReturnValueOnce(never);
    changes.publish('ada', 1);
    await vi.advanceTimersByTimeAsync(10_000);
    expect([heard, broker.texts]).toEqual([[1], []]);
    await vi.advanceTimersByTimeAsync(1000);
    expect(broker.texts).toEqual([expect.stringContaining('"message":1')]);
    expect(heard).toEqual([1]);
  });

  it('does not hear twice if a broker follows after its time is over', async () => {
    const broker = new TrialBroker();
    const open = closeGate(broker);
    const changes = new PubSub<unknown>({ broker });
    const starting = changes.start();
    await vi.advanceTimersByTimeAsync(10_000);
    await starting;
    broker.gate = undefined;
    await vi.advanceTimersByTimeAsync(1000);
    const { heard } = listen(changes);
    open();
    changes.publish('ada', 1);
    await settled();
    expect([heard, broker.listeners.size]).toEqual([[1], 1]);
  });

  it('says what is wrong with a broker that gives nothing to stop', async () => {
    const broker = new TrialBroker();
    vi.spyOn(broker, 'follow').mockResolvedValue(undefined as never);
    await new PubSub({ broker }).start();
    expect(reported.map(({ error }) => (error as Error).message)).toEqual([
      'follow() of the broker gave undefined; give { id, stop }',
    ]);
  });

  it('does without timers that are objects', async () => {
    const set = globalThis.setTimeout;
    vi.stubGlobal('setTimeout', (...args: Parameters<typeof set>) => Number(set(...args)));
    const { here, broker } = await processes();
    broker.isAway = true;
    here.publish('ada', 1);
    await settled();
    broker.isAway = false;
    await vi.advanceTimersByTimeAsync(1000);
    expect(broker.texts).toEqual([expect.stringContaining('"message":1')]);
    broker.isAway = true;
    here.publish('ada', 2);
    await settled();
    await here.close();
    vi.unstubAllGlobals();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('makes no random value before it is needed, which Workers refuse while a module loads', async () => {
    const random = vi.spyOn(crypto, 'randomUUID');
    const changes = new PubSub({ broker: new TrialBroker() });
    expect(random).not.toHaveBeenCalled();
    random.mockRestore();
    await changes.close();
  });
});
