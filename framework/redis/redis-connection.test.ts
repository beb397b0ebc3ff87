// A connection to Redis, with a client that the test plays: scripts, time limits and what is reported.
import { EventEmitter } from 'node:events';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Blackhole, hasRedis } from '../conformance/redis/trial-redis.js';
import { subscribe } from '../tracing/subscribe.js';
import { createRedisClient, type RedisClient } from './redis-client.js';
import { RedisConnection, RedisScript } from './redis-connection.js';

type Answer = (args: readonly string[]) => unknown;

/** A client that answers as the test says. */
class PlayedClient extends EventEmitter {
  isOpen = true;
  isReady = true;
  readonly sent: string[] = [];
  answer: Answer = () => 'OK';

  async sendCommand(args: readonly string[]): Promise<unknown> {
    this.sent.push(args.slice(0, 2).join(' '));
    return this.answer(args);
  }

  async connect(): Promise<void> {}
  duplicate(): PlayedClient {
    throw new Error('not played');
  }
  destroy(): void {}
}

const script = new RedisScript('return 1');
const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

function opened(options = {}): { client: PlayedClient; redis: RedisConnection } {
  const client = new PlayedClient();
  const redis = new RedisConnection('Test', client as unknown as RedisClient, options);
  cleanups.push(() => redis.close());
  return { client, redis };
}

describe('a script', () => {
  const load = 'SCRIPT LOAD';
  const run = `EVALSHA ${script.sha1}`;

  it('is given to the server once, before all runs of it', async () => {
    const { client, redis } = opened();
    let loaded = () => {};
    client.answer = ([name]) =>
      name === 'SCRIPT' ? new Promise<void>((resolve) => (loaded = resolve)) : name;
    const runs = [1, 2, 3].map(() => redis.run(script, [], []));
    await vi.waitFor(() => expect(client.sent).toEqual([load]));
    loaded();
    expect(await Promise.all(runs)).toEqual(['EVALSHA', 'EVALSHA', 'EVALSHA']);
    await redis.run(script, [], []);
    expect(client.sent).toEqual([load, run, run, run, run]);
    const other = new RedisScript('return 2');
    const running = redis.run(other, ['a', 'b'], ['c']);
    await vi.waitFor(() => expect(client.sent.at(-1)).toBe(load));
    loaded();
    await running;
    expect(client.sent.slice(-2)).toEqual([load, `EVALSHA ${other.sha1}`]);
  });

  it('is given to the server again by the next run if that has failed', async () => {
    const { client, redis } = opened();
    client.answer = () => Promise.reject(new Error('away'));
    await expect(redis.run(script, [], [])).rejects.toThrow('away');
    client.answer = () => 'done';
    expect(await redis.run(script, [], [])).toBe('done');
    expect(client.sent).toEqual([load, load, run]);
  });

  it('is sent whole if the server has forgotten it, and after no other error', async () => {
    const { client, redis } = opened();
    const seen: (readonly string[])[] = [];
    client.answer = (args) => {
      seen.push(args);
      if (args[0] === 'EVALSHA') throw new Error('NOSCRIPT No matching script.');
      return 'whole';
    };
    expect(await redis.run(script, ['key'], ['one', 'two'])).toBe('whole');
    expect(seen.slice(1)).toEqual([
      ['EVALSHA', script.sha1, '1', 'key', 'one', 'two'],
      ['EVAL', 'return 1', '1', 'key', 'one', 'two'],
    ]);
    client.answer = () => Promise.reject(new Error('ERR user_script: NOSCRIPT'));
    client.sent.length = 0;
    await expect(redis.run(script, [], [])).rejects.toThrow('ERR user_script');
    expect(client.sent).toEqual([run]);
  });
});

describe('a command', () => {
  it.each<[string, object, number]>([
    ['a second', {}, 1_000],
    ['the time that is set', { timeoutMs: 5 }, 5],
  ])('that is not answered fails after %s, and leaves no timer', async (_, options, ms) => {
    const { client, redis } = opened(options);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    cleanups.push(() => vi.useRealTimers());
    client.answer = () => new Promise(() => {});
    const failed = expect(redis.command(['PING'])).rejects.toThrow(`Redis did not answer within ${ms} ms`);
    await vi.advanceTimersByTimeAsync(ms - 1);
    expect(vi.getTimerCount()).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    await failed;
    client.answer = () => 'PONG';
    expect(await redis.command(['PING'])).toBe('PONG');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('fails at once while the client is not connected, and after the end', async () => {
    const { client, redis } = opened();
    client.isReady = false;
    await expect(redis.command(['PING'])).rejects.toThrow('Redis is not connected; check that it runs');
    client.isReady = true;
    await redis.close();
    await expect(redis.command(['PING'])).rejects.toThrow('the connection to Redis was closed');
    await expect(redis.run(script, [], [])).rejects.toThrow('was closed');
    expect(client.sent).toEqual([]);
  });

  it('is not sent to a server that is asked for the first time after the end', async () => {
    const redis = new RedisConnection('Test', 'redis://127.0.0.1:1', {});
    await redis.close();
    await expect(redis.command(['PING'])).rejects.toThrow('was closed');
    await expect(redis.duplicate()).rejects.toThrow('Redis is not connected');
  });
});

it('reports once that the server is away, until it is there again, and nothing after the end', async () => {
  const { client, redis } = opened();
  const reported: unknown[] = [];
  cleanups.push(
    subscribe(({ fields }) => void (fields.error instanceof Error && reported.push(fields.error.message))),
  );
  await redis.command(['PING']);
  const away = (message: string) => client.emit('error', new Error(message));
  for (const message of ['first', 'second']) away(message);
  expect(reported).toEqual(['first']);
  client.emit('ready');
  for (const message of ['third', 'fourth']) away(message);
  expect(reported).toEqual(['first', 'third']);
  client.emit('ready');
  const listen = vi.fn();
  client.on('error', listen);
  await redis.close();
  away('last');
  expect(reported).toEqual(['first', 'third']);
  expect(listen).toHaveBeenCalledOnce();
  expect([client.listenerCount('error'), client.listenerCount('ready')]).toEqual([1, 0]);
});

describe('a second connection', () => {
  it('is connected, reports as the first one does, and is for the caller to end', async () => {
    const { client, redis } = opened();
    const copy = new PlayedClient();
    const [connect, destroy] = [vi.spyOn(copy, 'connect'), vi.spyOn(copy, 'destroy')];
    client.duplicate = () => copy;
    expect(await redis.duplicate()).toBe(copy);
    expect(connect).toHaveBeenCalledOnce();
    // Without a listener, it would end the process.
    const reported: unknown[] = [];
    cleanups.push(subscribe(({ fields }) => void reported.push((fields.error as Error)?.message)));
    for (const _ of [1, 2]) copy.emit('error', new Error('away'));
    copy.emit('ready');
    copy.emit('error', new Error('away again'));
    expect(reported).toEqual(['away', 'away again']);
    await redis.close();
    expect(destroy).not.toHaveBeenCalled();
  });

  it('is ended if it cannot be connected', async () => {
    const { client, redis } = opened({ timeoutMs: 5 });
    for (const connect of [() => Promise.reject(new Error('refused')), () => new Promise<never>(() => {})]) {
      const copy = new PlayedClient();
      copy.connect = connect;
      const destroy = vi.spyOn(copy, 'destroy');
      client.duplicate = () => copy;
      await expect(redis.duplicate()).rejects.toThrow(/refused|did not answer within 5 ms/);
      expect(destroy).toHaveBeenCalledOnce();
    }
  });
});

describe.skipIf(!(await hasRedis()))('a connection of its own', () => {
  async function own() {
    const hole = await Blackhole.open(6379);
    cleanups.push(() => hole.close());
    return { hole, redis: new RedisConnection('Test', hole.url, { timeoutMs: 20_000 }) };
  }

  it('is opened by the first commands, once, and closed at the end', async () => {
    const { hole, redis } = await own();
    expect(hole.open).toBe(0);
    const answers = await Promise.all([1, 2, 3].map((one) => redis.command(['ECHO', String(one)])));
    expect(answers).toEqual(['1', '2', '3']);
    expect(hole.open).toBe(1);
    const copy = await redis.duplicate();
    expect(hole.open).toBe(2);
    copy.destroy();
    await redis.close();
    await vi.waitFor(() => expect(hole.open).toBe(0));
  });

  it('reports nothing that is due to its end', async () => {
    const hole = await Blackhole.open(6379);
    cleanups.push(() => hole.close());
    hole.swallow();
    const reported: unknown[] = [];
    cleanups.push(subscribe(({ fields }) => void reported.push(fields.error)));
    const redis = new RedisConnection('Test', hole.url, { timeoutMs: 4_000 });
    const refused = expect(redis.command(['PING'])).rejects.toThrow();
    await vi.waitFor(() => expect(hole.open).toBe(1));
    await redis.close();
    await refused;
    await vi.waitFor(() => expect(hole.open).toBe(0));
    expect(reported).toEqual([]);
  });

  it('is not left behind if the end comes while it is opened', async () => {
    const { hole, redis } = await own();
    const refused = expect(redis.command(['PING'])).rejects.toThrow('Redis is not connected');
    await redis.close();
    await refused;
    await vi.waitFor(() => expect(hole.open).toBe(0));
    await redis.close();
  });
});

it.each([
  [null, 'got null'],
  [7, 'got number'],
  ['my redis://127.0.0.1', 'got a text that is not a URL'],
  ['x'.repeat(40), 'got a text that is not a URL'],
  ['REDISS://h/12', undefined],
  ['redis://h', undefined],
  ['redis://h/1x', 'its path is not the number of a database'],
])('takes %j for a client: %s', (client, fault) => {
  const make = () => new RedisConnection('Test', client as never, {});
  if (fault === undefined) return expect(make).not.toThrow();
  expect(make).toThrow(fault);
  expect(make).toThrow('fw/redis takes a client made by createClient()');
});

it('connects again for ever, after 50 ms at first and two seconds at most', async () => {
  const client = await createRedisClient('redis://127.0.0.1:1', 700);
  const { socket } = (client as unknown as { options: { socket: Record<string, unknown> } }).options;
  const wait = socket.reconnectStrategy as (retries: number) => number;
  expect([0, 1, 2, 5, 6, 10, 1_000_000].map((retries) => wait(retries))).toEqual([
    50, 100, 200, 1_600, 2_000, 2_000, 2_000,
  ]);
  expect(socket.connectTimeout).toBe(700);
});
