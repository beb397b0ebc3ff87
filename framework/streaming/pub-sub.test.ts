import diagnostics from 'node:diagnostics_channel';
import { describe, expect, it } from 'vitest';
import { App } from '../app/app.js';
import { ConfigError } from '../config-error.js';
import { RpcRegistry } from '../rpc/index.js';
import { TestClient } from '../testing/index.js';
import { PubSub } from './pub-sub.js';
import { MissedMessagesError } from './pub-sub-subscription.js';
import { SseEvent } from './sse-event.js';

const next = async <T>(iterator: AsyncIterator<T, undefined>): Promise<T | 'end'> => {
  const { done, value } = await iterator.next();
  return done ? 'end' : (value as T);
};

describe('PubSub', () => {
  it('gives each subscriber the messages of its topic, in order, from its call on', async () => {
    const changes = new PubSub<number>();
    changes.publish('ada', 0);
    const [first, second, other] = [
      changes.subscribe('ada'),
      changes.subscribe('ada'),
      changes.subscribe('bob'),
    ];
    changes.publish('ada', 1);
    changes.publish('ada', 2);
    changes.publish('bob', 3);
    expect([await next(first), await next(first)]).toEqual([1, 2]);
    expect([await next(second), await next(second)]).toEqual([1, 2]);
    expect(await next(other)).toBe(3);
  });

  it('has messages without a value', async () => {
    const changes = new PubSub();
    const waiting = changes.subscribe('list').next();
    changes.publish('list');
    expect(await waiting).toEqual({ done: false, value: undefined });
  });

  it('answers reads in the order of their calls', async () => {
    const changes = new PubSub<number>();
    const subscription = changes.subscribe('a');
    const reads = Promise.all([next(subscription), next(subscription), next(subscription)]);
    changes.publish('a', 1);
    changes.publish('a', 2);
    await subscription.return?.();
    expect(await reads).toEqual([1, 2, 'end']);
  });

  it('ends and is forgotten when the signal aborts, also one that has aborted before', async () => {
    const changes = new PubSub<number>();
    const leaving = new AbortController();
    const subscription = changes.subscribe('a', { signal: leaving.signal });
    changes.publish('a', 1);
    expect(changes.count('a')).toBe(1);
    leaving.abort();
    expect(await next(subscription)).toBe('end');
    expect(await next(changes.subscribe('a', { signal: leaving.signal }))).toBe('end');
    expect([changes.count('a'), changes.count()]).toEqual([0, 0]);
  });

  it('ends a read that waits when the signal aborts', async () => {
    const leaving = new AbortController();
    const waiting = next(new PubSub().subscribe('a', { signal: leaving.signal }));
    leaving.abort();
    expect(await waiting).toBe('end');
  });

  it('is forgotten when its loop is left, and listens to the signal no longer', async () => {
    const changes = new PubSub<number>();
    const { signal } = new AbortController();
    const removed: string[] = [];
    const remove = signal.removeEventListener.bind(signal);
    signal.removeEventListener = (type: string, listener: () => void) => {
      removed.push(type);
      remove(type, listener);
    };
    const subscription = changes.subscribe('a', { signal });
    changes.publish('a', 1);
    for await (const message of subscription) {
      expect(message).toBe(1);
      break;
    }
    expect([changes.count(), removed]).toEqual([0, ['abort']]);
    expect(await next(subscription)).toBe('end');
  });

  it('counts the subscriptions of a topic, and all of them', async () => {
    const changes = new PubSub<number>();
    const subscriptions = ['a', 'a', 'b'].map((topic) => changes.subscribe(topic));
    expect([changes.count('a'), changes.count('b'), changes.count('c'), changes.count()]).toEqual([
      2, 1, 0, 3,
    ]);
    await subscriptions[0]?.return?.();
    expect([changes.count('a'), changes.count()]).toEqual([1, 2]);
  });

  it('cuts off a subscriber that is too slow, once, and no other', async () => {
    const changes = new PubSub<number>({ capacity: 2 });
    const [slow, fast] = [changes.subscribe('a'), changes.subscribe('a')];
    const heard: unknown[] = [];
    for (let message = 0; message < 3; message += 1) {
      changes.publish('a', message);
      heard.push(await next(fast));
    }
    expect(heard).toEqual([0, 1, 2]);
    await expect(slow.next()).rejects.toThrow(
      new MissedMessagesError('the subscriber has missed messages: it was more than 2 messages behind'),
    );
    expect(await next(slow)).toBe('end');
    expect(changes.count()).toBe(1);
  });

  it('keeps 1,024 messages for a slow subscriber by default', async () => {
    const changes = new PubSub<number>();
    const subscription = changes.subscribe('a');
    for (let message = 0; message < 1024; message += 1) changes.publish('a', message);
    expect(await next(subscription)).toBe(0);
    for (let message = 0; message < 2; message += 1) changes.publish('a', message);
    await expect(subscription.next()).rejects.toThrow(MissedMessagesError);
  });

  it('keeps the order of messages that wait while others are read', async () => {
    const changes = new PubSub<number>({ capacity: 10 });
    const subscription = changes.subscribe('a');
    const heard: unknown[] = [];
    for (let round = 0, message = 0; round < 20; round += 1) {
      for (let count = 0; count < 5; count += 1) changes.publish('a', message++);
      for (let count = 0; count < (round % 2 === 0 ? 3 : 7); count += 1) heard.push(await next(subscription));
    }
    expect(heard).toEqual(Array.from({ length: 100 }, (_, index) => index));
    for (let message = 0; message < 10; message += 1) changes.publish('a', message);
    expect(await next(subscription)).toBe(0);
    changes.publish('a', 10);
    changes.publish('a', 11);
    await expect(subscription.next()).rejects.toThrow('it was more than 10 messages behind');
  });

  it('ends all subscriptions when it is closed, and those that come later at once', async () => {
    const changes = new PubSub<number>();
    const waiting = [next(changes.subscribe('a')), next(changes.subscribe('b'))];
    await changes.close();
    expect(await Promise.all(waiting)).toEqual(['end', 'end']);
    const late = changes.subscribe('a');
    changes.publish('a', 1);
    expect(await next(late)).toBe('end');
    expect(changes.count()).toBe(0);
  });

  it('does without start if there is no broker', async () => {
    await expect(new PubSub().start()).resolves.toBeUndefined();
  });

  it('says what is wrong with an option or a topic', () => {
    const wrong = (make: () => unknown, message: string) => expect(make).toThrow(message);
    wrong(() => new PubSub({ capacity: 0 }), 'PubSub: capacity');
    wrong(() => new PubSub({ channel: '' }), 'PubSub: channel');
    wrong(() => new PubSub({ broker: {} as never }), 'a HistoryBroker, such as a RedisStreamBroker');
    wrong(() => new PubSub({ brokr: {} } as never), 'brokr');
    wrong(() => new PubSub().subscribe('a', { signal: {} as never }), 'an AbortSignal');
    expect(() => new PubSub({ capacity: 0 })).toThrow(ConfigError);
    wrong(() => new PubSub().subscribe(7 as never), 'PubSub.subscribe');
    wrong(() => new PubSub<number>().publish(7 as never, 1), 'PubSub.publish');
  });
});

describe('a response of a subscriber that has missed messages', () => {
  it('is cut off without an error, so that its client connects again', async () => {
    const changes = new PubSub<number>({ capacity: 1 });
    const rpc = new RpcRegistry().subscription('follow', (_: undefined, { signal }) => {
      const subscription = changes.subscribe('a', { signal });
      for (const message of [1, 2]) changes.publish('a', message);
      return subscription;
    });
    const app = new App().mountRpc('/rpc', rpc);
    const response = await new TestClient(app).post('/rpc', {
      json: { jsonrpc: '2.0', method: 'follow', id: 1 },
    });
    expect(response.text()).toMatch(/event: ready\n/);
    expect(response.text()).not.toMatch(/event: (?:done|error)/);
  });

  it.each(['/events', '/stream'])(
    'is cut off before its first chunk, with a good status, for %s',
    async (path) => {
      const changes = new PubSub<number>({ capacity: 1 });
      const reported: unknown[] = [];
      const report = (event: unknown) => void reported.push(event);
      diagnostics.subscribe('fw:error', report);
      const missed = (signal: AbortSignal) => {
        const subscription = changes.subscribe('a', { signal });
        for (const message of [1, 2]) changes.publish('a', message);
        return subscription;
      };
      async function* texts(signal: AbortSignal) {
        for await (const message of missed(signal)) yield String(message);
      }
      async function* events(signal: AbortSignal) {
        for await (const text of texts(signal)) yield SseEvent.data(text);
      }
      const app = new App()
        .get('/events', (ctx) => ctx.sse(events(ctx.signal)))
        .get('/stream', (ctx) => ctx.stream(texts(ctx.signal)));
      const response = await app.fetch(new Request(`http://localhost${path}`));
      expect(response.status).toBe(200);
      await expect(response.text()).rejects.toThrow();
      diagnostics.unsubscribe('fw:error', report);
      expect([reported, changes.count()]).toEqual([[], 0]);
    },
  );

  it('is cut off, and nothing is reported, for an event stream', async () => {
    const changes = new PubSub<number>({ capacity: 1 });
    const reported: unknown[] = [];
    const report = (event: unknown) => void reported.push(event);
    diagnostics.subscribe('fw:error', report);
    const app = new App().get('/events', (ctx) => {
      const subscription = changes.subscribe('a', { signal: ctx.signal });
      async function* events() {
        for await (const message of subscription) {
          yield SseEvent.data(String(message));
          for (const more of [2, 3]) changes.publish('a', more);
        }
      }
      changes.publish('a', 1);
      return ctx.sse(events());
    });
    const response = await app.fetch(new Request('http://localhost/events'));
    await expect(response.text()).rejects.toThrow();
    diagnostics.unsubscribe('fw:error', report);
    expect(reported).toEqual([]);
  });
});
