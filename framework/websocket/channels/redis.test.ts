import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { hasRedis, newPrefix, OwnServer, removePrefix, SHARED } from '../../conformance/redis/trial-redis.js';
import { TrialServer } from '../../conformance/websocket/trial-member.js';
import { RedisStreamBroker } from '../../redis/index.js';
import { ChannelManager } from './channel-manager.js';

const available = await hasRedis();

describe.skipIf(!available)('channels over Redis streams', () => {
  let server: TrialServer;
  const cleanups: (() => unknown)[] = [];
  beforeAll(async () => {
    server = await TrialServer.open();
  });
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  });
  afterAll(() => server.close());

  /** What one process has. */
  function open(url: string, prefix: string) {
    const broker = new RedisStreamBroker(url, { prefix, timeoutMs: 500 });
    const channels = new ChannelManager({ broker, history: { messages: 2_000 }, presence: true });
    cleanups.push(async () => {
      await channels.close();
      await broker.close();
    });
    return channels;
  }
  function two() {
    const prefix = newPrefix();
    cleanups.push(() => removePrefix(prefix));
    return [open(SHARED, prefix), open(SHARED, prefix), prefix] as const;
  }
  const parsed = (got: readonly unknown[]) => got.map((text) => JSON.parse(String(text)));
  const dataOf = (got: readonly unknown[]) =>
    parsed(got)
      .filter(({ event }) => event)
      .map(({ data }) => data);
  const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n);

  it('a client resumes at another process, while messages keep coming', async () => {
    const [one, other] = two();
    const first = await server.connect({});
    await one.subscribe(first.member, 'a');
    await vi.waitFor(() =>
      expect(parsed(first.got)).toEqual([{ position: { topic: 'a', id: expect.stringMatching(/^\d+-0$/) } }]),
    );
    for (const n of numbers(1, 200)) void one.emit('a', 'n', n);
    await vi.waitFor(() => expect(dataOf(first.got)).toHaveLength(200));
    const last = parsed(first.got)[100].id;
    first.client.terminate();
    for (const n of numbers(201, 400)) void one.emit('a', 'n', n);
    const back = await server.connect({ a: last });
    const resumed = other.subscribe(back.member, 'a');
    for (const n of numbers(401, 600)) void one.emit('a', 'n', n);
    await resumed;
    await vi.waitFor(() => expect(dataOf(back.got)).toHaveLength(500));
    expect(dataOf(back.got)).toEqual(numbers(101, 600));
    expect(other.count('a')).toBe(1);
    // In its place of the first event, which it had not got.
    const beginning = await server.connect({ a: parsed(first.got)[0].position.id });
    await other.subscribe(beginning.member, 'a');
    await vi.waitFor(() => expect(dataOf(beginning.got)).toEqual(numbers(1, 600)));
  });

  it('texts and bytes keep their place among the events', async () => {
    const [one, other] = two();
    const { member, got } = await server.connect();
    await other.subscribe(member, 'a');
    one.emit('a', 'n', 1);
    one.publish('a', '\0e{"x":1}');
    one.publish('a', new Uint8Array([1, 2]));
    await one.emit('a', 'n', 2);
    await vi.waitFor(() => expect(got).toHaveLength(4));
    expect(JSON.parse(String(got[0]))).toMatchObject({ event: 'n', data: 1, topic: 'a' });
    expect(got.slice(1, 3)).toEqual(['\0e{"x":1}', Buffer.from([1, 2])]);
  });

  it('a client whose place is unknown is told so, and continues from there', async () => {
    const [one, other] = two();
    await one.emit('a', 'n', 1);
    const { member, got } = await server.connect({ a: '1-1' });
    await other.subscribe(member, 'a');
    await one.emit('a', 'n', 2);
    await vi.waitFor(() => expect(got).toHaveLength(2));
    const [{ missed }, next] = parsed(got);
    expect(missed).toEqual({ topic: 'a', id: expect.stringMatching(/^\d+-1$/) });
    expect(next).toMatchObject({ data: 2, id: missed.id.replace(/1$/, '2') });
  });

  it('a client that leaves while it resumes gets nothing, and leaves nothing', async () => {
    const [one] = two();
    const { member, got, client } = await server.connect({ a: '1-1' });
    const resumed = one.subscribe(member, 'a');
    expect(one.count('a')).toBe(1);
    one.unsubscribe(member, 'a');
    await resumed;
    void one.subscribe(member, 'b');
    client.terminate();
    await vi.waitFor(() => expect(one.count()).toBe(0));
    await one.emit('a', 'n', 1);
    expect([got, one.topics(), one.count('a')]).toEqual([[], [], 0]);
  });

  it('presence counts all processes, and not one that was killed', async () => {
    const [one, other, prefix] = two();
    const [a, b, c] = [await server.connect(), await server.connect(), await server.connect()];
    await Promise.all([
      one.subscribe(a.member, 'a'),
      other.subscribe(b.member, 'a'),
      other.subscribe(c.member, 'a'),
    ]);
    await vi.waitFor(async () => expect(await one.presence('a')).toBe(3));
    c.client.terminate();
    await vi.waitFor(async () => expect(await one.presence('a')).toBe(2));
    await other.close();
    expect(await one.presence('a')).toBe(1);
    expect(await one.presence(prefix)).toBe(0);
    expect(await new ChannelManager().presence('a')).toBe(0);
  });

  it('a topic outlives a Redis that goes and comes', async () => {
    const redis = await OwnServer.open();
    cleanups.push(() => redis.stop());
    const [one, other] = [open(redis.url, 'x:'), open(redis.url, 'x:')];
    const { member, got } = await server.connect({});
    await other.subscribe(member, 'a');
    await one.emit('a', 'n', 1);
    await vi.waitFor(() => expect(dataOf(got)).toEqual([1]));
    await redis.stop();
    await vi.waitFor(() => expect(one.emit('a', 'n', 2)).rejects.toThrow());
    const late = await server.connect({});
    const subscribed = other.subscribe(late.member, 'late');
    await redis.start();
    await vi.waitFor(() => one.emit('a', 'n', 3), { timeout: 60_000, interval: 50 });
    // It has lost its data, which the client is told.
    await vi.waitFor(() => expect(parsed(got).some(({ missed }) => missed?.topic === 'a')).toBe(true), {
      timeout: 60_000,
    });
    await subscribed;
    await one.emit('late', 'n', 4);
    await one.emit('a', 'n', 5);
    await vi.waitFor(() => expect([dataOf(late.got), dataOf(got).at(-1)]).toEqual([[4], 5]));
  });

  it('a process ends by itself after close', async () => {
    const prefix = newPrefix();
    cleanups.push(() => removePrefix(prefix));
    const file = fileURLToPath(new URL('../../conformance/websocket/trial-process.ts', import.meta.url));
    const child = fork(file, [SHARED, prefix], { execArgv: ['--import', 'tsx'] });
    cleanups.push(() => child.kill('SIGKILL'));
    const [code] = await once(child, 'exit');
    expect(code).toBe(0);
  });
});
