import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { TrialServer } from '../../conformance/websocket/trial-member.js';
import { ChannelManager, type ChannelManagerOptions } from './channel-manager.js';
import { historyBounds } from './history-rules.js';
import { MemoryHistory } from './memory-history.js';

let server: TrialServer;
beforeAll(async () => {
  server = await TrialServer.open();
});
afterAll(() => server.close());
afterEach(() => vi.useRealTimers());

const idOf = (text: unknown): string => JSON.parse(String(text)).id;
const dataOf = (texts: readonly unknown[]): unknown[] => texts.map((text) => JSON.parse(String(text)).data);

/** A manager with these events in the topic, and what a client got that was there from the beginning. */
async function withEvents(count: number, options: ChannelManagerOptions = {}) {
  const channels = new ChannelManager({ history: { messages: 100 }, ...options });
  const { member, got } = await server.connect();
  channels.subscribe(member, 'a');
  for (let n = 1; n <= count; n += 1) channels.emit('a', 'n', n);
  await vi.waitFor(() => expect(got).toHaveLength(count));
  return { channels, member, got };
}

describe('topics with a history', () => {
  it('put the topic and an id into events, and nothing into other messages', async () => {
    const { channels, got } = await withEvents(2);
    channels.publish('a', '{"event":"n","data":1}');
    channels.emitAll('all', {});
    await vi.waitFor(() => expect(got).toHaveLength(4));
    expect(JSON.parse(String(got[1]))).toEqual({
      event: 'n',
      data: 2,
      topic: 'a',
      id: expect.stringMatching(/^[\da-f]{12}-2$/),
    });
    expect(got.slice(2)).toEqual(['{"event":"n","data":1}', '{"event":"all","data":{}}']);
  });

  it('give a client that resumes what it missed before anything newer', async () => {
    const { channels, got } = await withEvents(5);
    channels.emit('other', 'n', 0);
    // In the same turn as the subscription.
    channels.emit('a', 'n', 6);
    const back = await server.connect({ a: idOf(got[1]) });
    channels.emit('a', 'n', 7);
    channels.subscribe(back.member, 'a');
    channels.emit('a', 'n', 8);
    await vi.waitFor(() => expect(dataOf(back.got)).toEqual([3, 4, 5, 6, 7, 8]));
    const upToDate = await server.connect({ a: idOf(back.got.at(-1)) });
    channels.subscribe(upToDate.member, 'a');
    channels.unsubscribe(upToDate.member, 'a');
    channels.subscribe(upToDate.member, 'a');
    channels.emit('a', 'n', 9);
    await vi.waitFor(() =>
      expect(dataOf(upToDate.got.filter((text) => String(text).includes('event')))).toEqual([9]),
    );
  });

  it('tell a new client its place, so that it loses nothing before its first event', async () => {
    const { channels } = await withEvents(3);
    const first = await server.connect({});
    channels.subscribe(first.member, 'a');
    await vi.waitFor(() =>
      expect(first.got).toEqual([expect.stringMatching(/^\{"position":\{"topic":"a","id":"\w+-3"\}\}$/)]),
    );
    first.client.terminate();
    channels.emit('a', 'n', 4);
    const back = await server.connect({ a: JSON.parse(String(first.got[0])).position.id });
    channels.subscribe(back.member, 'a');
    await vi.waitFor(() => expect(dataOf(back.got)).toEqual([4]));
  });

  it('tell that messages are missing, once, and where the topic continues', async () => {
    const { channels, got } = await withEvents(5, { history: { messages: 2 } });
    const known = await server.connect({ a: idOf(got[2]) });
    const unknown = [
      idOf(got[1]),
      'x',
      '',
      `${idOf(got[0]).split('-')[0]}-6`,
      '000000000000-5',
      `${idOf(got[4])}e9`,
    ];
    channels.subscribe(known.member, 'a');
    await vi.waitFor(() => expect(dataOf(known.got)).toEqual([4, 5]));
    for (const id of unknown) {
      const back = await server.connect({ a: id });
      channels.subscribe(back.member, 'a');
      await vi.waitFor(() =>
        expect(back.got).toEqual([JSON.stringify({ missed: { topic: 'a', id: idOf(got[4]) } })]),
      );
    }
  });

  it('are chosen by a function', async () => {
    const history = (topic: string) => (topic.startsWith('room:') ? { messages: 1 } : undefined);
    const channels = new ChannelManager({ history });
    const { member, got } = await server.connect();
    for (const topic of ['room:1', 'user:1']) channels.subscribe(member, topic);
    channels.emit('room:1', 'n', 1);
    channels.emit('user:1', 'n', 1);
    await vi.waitFor(() => expect(got.map((text) => String(text).includes('"id"'))).toEqual([true, false]));
    const back = await server.connect({ 'user:1': 'x-1' });
    channels.subscribe(back.member, 'user:1');
    await vi.waitFor(() => expect(back.got).toEqual(['{"missed":{"topic":"user:1"}}']));
  });

  it('are not chosen by an asynchronous function, whose rejection does not end the process', async () => {
    const history = (() => Promise.reject(new Error('late'))) as never;
    const publish = async () => new ChannelManager({ history }).publish('a', 'b');
    await expect(publish()).rejects.toThrow('history of ChannelManager returned a promise');
    await new ChannelManager({ history: () => null as never }).publish('a', 'b');
  });

  it('take whole numbers', () => {
    for (const history of [
      { messages: 0 },
      { messages: 1.5 },
      { messages: 1, maxAgeMs: 0 },
      { messages: '1' as never },
    ]) {
      expect(() => new ChannelManager({ history })).toThrow('give a whole number, 1 or more');
    }
    expect(() => new ChannelManager({ historyBounds: { maxTopics: 0 } })).toThrow(
      'historyBounds of ChannelManager: maxTopics is 0',
    );
    expect(() => new ChannelManager({ historyBounds: { maxBytes: Number.NaN } })).toThrow(
      'historyBounds of ChannelManager: maxBytes is NaN',
    );
  });
});

describe('the memory of histories', () => {
  const limits = { messages: 3, maxAgeMs: 1_000 };
  const event = { payload: '{"event":"n"}', isEvent: true };
  const texts = (history: MemoryHistory, topic: string, id: string) =>
    history.since(topic, id)?.map((frame) => frame.id);
  function open(bounds = {}, used: readonly string[] = []) {
    vi.useFakeTimers({ toFake: ['performance'] });
    return new MemoryHistory(historyBounds(bounds), (topic) => used.includes(topic));
  }

  it('is bounded by messages and by age', () => {
    const history = open();
    const ids = Array.from({ length: 5 }, () => history.append('a', event, limits).id);
    expect(texts(history, 'a', ids[1] ?? '')).toEqual(ids.slice(2));
    expect(texts(history, 'a', ids[0] ?? '')).toBeUndefined();
    vi.advanceTimersByTime(999);
    expect(texts(history, 'a', ids[3] ?? '')).toEqual([ids[4]]);
    vi.advanceTimersByTime(1);
    expect(texts(history, 'a', ids[3] ?? '')).toBeUndefined();
    expect(texts(history, 'a', ids[4] ?? '')).toEqual([]);
  });

  it('forgets topics whose messages are too old and that nobody uses', () => {
    const history = open({}, ['used']);
    const used = history.append('used', event, limits).id;
    const unused = history.append('unused', event, limits).id;
    expect(history.size).toBe(2);
    vi.advanceTimersByTime(1_000);
    history.append('a', event, limits);
    history.append('a', event, limits);
    expect(history.size).toBe(2);
    expect(texts(history, 'used', used)).toEqual([]);
    // Its last message was the last one that was forgotten, so nothing is missing.
    expect(texts(history, 'unused', unused)).toEqual([]);
    expect(texts(history, 'unused', used)).toBeUndefined();
  });

  it('is bounded by topics and by bytes, where the oldest go first', () => {
    const history = open({ topics: 3 });
    const ids = ['a', 'b', 'c', 'd'].map((topic) => history.append(topic, event, limits).id);
    expect(history.size).toBe(3);
    const next = history.append('a', event, limits).id;
    // What was forgotten of the topic is not newer than the id, so nothing is missing.
    expect(texts(history, 'a', ids[0] ?? '')).toEqual([next]);
    expect(texts(history, 'b', ids[0] ?? '')).toBeUndefined();
    expect(texts(history, 'd', ids[2] ?? '')).toEqual([ids[3]]);
    const small = open({ bytes: 10_000 });
    for (let n = 0; n < 100; n += 1)
      small.append(`t${n}`, { payload: 'x'.repeat(1_000), isEvent: false }, limits);
    expect(small.size).toBe(4);
    small.append('huge', { payload: 'x'.repeat(100_000), isEvent: false }, limits);
    expect(small.size).toBe(0);
    for (let n = 0; n < 100; n += 1)
      small.append('same', { payload: 'x'.repeat(1_000), isEvent: false }, limits);
    expect(small.size).toBe(1);
  });

  it('keeps a whole history of many messages in order', () => {
    const history = open({ bytes: 1e9 });
    const first = history.append('a', event, { messages: 1e5, maxAgeMs: 1e5 }).id;
    for (let n = 0; n < 50_000; n += 1) history.append('a', event, { messages: 1e5, maxAgeMs: 1e5 });
    const ids = texts(history, 'a', first)?.map((id) => Number(id.split('-')[1])) ?? [];
    expect(ids).toHaveLength(50_000);
    expect(ids.every((id, index) => id === index + 2)).toBe(true);
  });
});
