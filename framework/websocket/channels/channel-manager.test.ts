import { once } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { TrialServer } from '../../conformance/websocket/trial-member.js';
import type { ChannelMember } from '../channel-member.js';
import { events } from '../events.js';
import { flushPublished } from '../turn.js';
import { ChannelManager } from './channel-manager.js';

let server: TrialServer;
beforeAll(async () => {
  server = await TrialServer.open();
});
afterAll(() => server.close());

describe('topics', () => {
  it('reach their subscribers with texts, bytes, JSON and events, in order', async () => {
    const channels = new ChannelManager();
    const [one, other, third] = [await server.connect(), await server.connect(), await server.connect()];
    channels.subscribe(one.member, 'a');
    channels.subscribe(other.member, 'a');
    channels.subscribe(third.member, 'b');
    channels.publish('a', 'é😀');
    channels.publish('b', 'other topic');
    channels.publish('a', new Uint8Array([0, 255]));
    channels.publishJson('a', { x: [1] });
    channels.publish('nobody', 'x');
    await channels.emit('a', 'said', { text: 'hi' });
    const all = ['é😀', Buffer.from([0, 255]), '{"x":[1]}', '{"event":"said","data":{"text":"hi"}}'];
    await vi.waitFor(() => expect([one.got, other.got, third.got]).toEqual([all, all, ['other topic']]));
    expect(() => channels.publishJson('a', undefined)).toThrow('a value that JSON has, got undefined');
  });

  it('count a connection once, however often it subscribes', async () => {
    const channels = new ChannelManager();
    const { member, got } = await server.connect();
    for (let n = 0; n < 3; n += 1) channels.subscribe(member, 'a');
    expect([channels.count('a'), channels.count(), channels.topics()]).toEqual([1, 1, ['a']]);
    channels.publish('a', '1');
    channels.unsubscribe(member, 'a');
    channels.unsubscribe(member, 'a');
    channels.unsubscribe(member, 'unknown');
    channels.publish('a', '2');
    channels.subscribe(member, 'b');
    channels.publish('b', '3');
    await vi.waitFor(() => expect(got).toEqual(['1', '3']));
    expect([channels.count('a'), channels.topics()]).toEqual([0, ['b']]);
  });

  it('have any name', async () => {
    const channels = new ChannelManager({ history: { messages: 2 } });
    const { member, got } = await server.connect();
    const names = ['__proto__', 'constructor', '', '\n"\0', 'x'.repeat(512), '💥'];
    for (const name of names) {
      channels.subscribe(member, name);
      channels.emit(name, 'said', { name });
    }
    await vi.waitFor(() => expect(got).toHaveLength(names.length));
    expect(got.map((text) => JSON.parse(String(text)).topic)).toEqual(names);
    expect(channels.topics()).toEqual(names);
    for (const use of [
      (topic: string) => channels.subscribe(member, topic),
      (topic: string) => channels.publish(topic, ''),
      (topic: string) => channels.unsubscribe(member, topic),
      (topic: string) => channels.count(topic),
    ]) {
      expect(() => use('x'.repeat(513))).toThrow('at most 512 characters, got 513');
      expect(() => use('\ud800')).toThrow('lone surrogate');
      expect(() => use(1 as never)).toThrow('ChannelManager: the topic is 1; give a text');
      expect(() => use(null as never)).toThrow('ChannelManager: the topic is null; give a text');
    }
    await expect(channels.presence(null as never)).rejects.toThrow('the topic is null; give a text');
  });

  it('lose a connection that closes, and keep nothing of it', async () => {
    const channels = new ChannelManager();
    const { member, client } = await server.connect();
    const listeners = member.closeListeners;
    for (let n = 0; n < 5; n += 1) {
      channels.subscribe(member, 'a');
      channels.subscribe(member, 'b');
      channels.unsubscribe(member, 'b');
    }
    expect(member.closeListeners).toBe(listeners + 1);
    client.terminate();
    await vi.waitFor(() => expect(channels.count()).toBe(0));
    expect([channels.count('a'), channels.topics()]).toEqual([0, []]);
    await channels.subscribe(member, 'a');
    channels.add(member);
    expect([channels.count(), channels.count('a')]).toEqual([0, 0]);
  });

  it('go to the others if a connection fails', async () => {
    const channels = new ChannelManager();
    const errors: unknown[] = [];
    const log = vi.spyOn(console, 'error').mockImplementation((text) => errors.push(text));
    const broken: ChannelMember = {
      isOpen: true,
      sendFrame() {
        throw new Error('broken connection');
      },
      whenClosed() {},
      takeResumePoint: () => undefined,
    };
    const { member, got } = await server.connect();
    channels.subscribe(broken, 'a');
    channels.subscribe(member, 'a');
    channels.publish('a', '1');
    await vi.waitFor(() => expect(got).toEqual(['1']));
    expect(errors).toEqual([expect.stringContaining('broken connection')]);
    log.mockRestore();
  });
});

describe('messages to all', () => {
  it('reach connections that were added or have subscribed, until they close', async () => {
    const channels = new ChannelManager({ sends: { news: z.object({ n: z.number() }) } });
    const [added, subscribed, stranger] = [
      await server.connect(),
      await server.connect(),
      await server.connect(),
    ];
    channels.add(added.member);
    channels.add(added.member);
    channels.subscribe(subscribed.member, 'a');
    channels.unsubscribe(subscribed.member, 'a');
    channels.broadcastAll('hello');
    channels.emitAll('news', { n: 1 });
    const all = ['hello', '{"event":"news","data":{"n":1}}'];
    await vi.waitFor(() => expect([added.got, subscribed.got]).toEqual([all, all]));
    expect(stranger.got).toEqual([]);
    added.client.close();
    await once(added.client, 'close');
    await vi.waitFor(() => expect(channels.count()).toBe(1));
  });
});

describe('one turn of the event loop', () => {
  it('writes once to each connection, and keeps the order of topics', async () => {
    const channels = new ChannelManager();
    const { member, got } = await server.connect();
    for (const topic of ['a', 'b']) channels.subscribe(member, topic);
    for (let n = 0; n < 10; n += 1) channels.publish('a', String(n));
    channels.publish('b', 'b');
    channels.publish('a', 'last');
    expect(member.writes).toBe(0);
    await turn();
    expect(member.writes).toBe(3);
    await vi.waitFor(() => expect(got.join('')).toBe('0123456789blast'));
  });

  it('ends early for what changes the subscribers, for a lot of bytes and for the connection itself', async () => {
    const channels = new ChannelManager();
    const [one, other] = [await server.connect(), await server.connect()];
    channels.subscribe(one.member, 'a');
    channels.publish('a', '1');
    channels.subscribe(other.member, 'a');
    channels.publish('a', '2');
    channels.unsubscribe(one.member, 'a');
    channels.publish('a', '3');
    expect(other.member.writes).toBe(1);
    flushPublished();
    expect(other.member.writes).toBe(2);
    channels.publish('a', new Uint8Array(65_536));
    expect(other.member.writes).toBe(3);
    await vi.waitFor(() => expect(other.got).toHaveLength(3));
    expect([one.got, other.got.slice(0, 2)]).toEqual([
      ['1', '2'],
      ['2', '3'],
    ]);
    channels.publish('a', '4');
    channels.close();
    await vi.waitFor(() => expect(other.got.at(-1)).toBe('4'));
  });

  it('writes what is published by a write afterwards', async () => {
    const channels = new ChannelManager();
    const { member, got } = await server.connect();
    const publishing: ChannelMember = {
      isOpen: true,
      sendFrame: ({ payload }) => {
        if (payload === '1') channels.publish('a', '2');
        flushPublished();
        return true;
      },
      whenClosed() {},
      takeResumePoint: () => undefined,
    };
    channels.subscribe(publishing, 'a');
    channels.subscribe(member, 'a');
    channels.publish('a', '1');
    await vi.waitFor(() => expect(got).toEqual(['1', '2']));
  });
});

describe('events', () => {
  it('are parsed by their schemas, so that undeclared fields stay here', async () => {
    const said = z.object({ from: z.string(), at: z.date().transform((at) => at.getTime()) });
    const channels = new ChannelManager({
      sends: { said, pinged: z.undefined(), slow: z.string().refine(async () => true) },
    });
    const { member, got } = await server.connect();
    channels.subscribe(member, 'a');
    channels.emit('a', 'said', { from: 'Ada', at: new Date(5), password: 'secret' } as never);
    channels.emit('a', 'pinged');
    await vi.waitFor(() =>
      expect(got).toEqual(['{"event":"said","data":{"from":"Ada","at":5}}', '{"event":"pinged"}']),
    );
    expect(() => channels.emit('a', 'said', { from: 1, at: new Date() } as never)).toThrow(
      /^emit\('said'\): the data does not fit the schema: field from: .*received number$/,
    );
    expect(() => channels.emit('a', 'said', 1 as never)).toThrow(
      "emit('said'): the data does not fit the schema: the data: ",
    );
    expect(() => channels.emit('a', 'constructor' as never, {} as never)).toThrow(
      "'sends' does not declare the event; it declares 'said', 'pinged', 'slow'",
    );
    expect(() => channels.emit('a', 'slow', 'x')).toThrow("emit('slow') takes a synchronous schema");
  });

  it('are not checked without schemas', async () => {
    const channels = new ChannelManager({ sends: events<{ said: { text: string } }>() });
    const { member, got } = await server.connect();
    channels.subscribe(member, 'a');
    channels.emit('a', 'said', { text: '"}' });
    await vi.waitFor(() => expect(got).toEqual(['{"event":"said","data":{"text":"\\"}"}}']));
  });

  it('are declared by schemas', () => {
    expect(() => new ChannelManager({ sends: { said: 1 } as never })).toThrow(
      'ChannelManager: sends.said takes a Standard Schema',
    );
  });
});

describe('close', () => {
  it('ends everything, and is the last', async () => {
    const channels = new ChannelManager();
    const { member, got } = await server.connect();
    channels.subscribe(member, 'a');
    channels.close();
    channels.close();
    channels.add(member);
    await channels.subscribe(member, 'a');
    await channels.publish('a', '1');
    await channels.broadcastAll('2');
    await turn();
    expect([got, channels.count(), channels.topics()]).toEqual([[], 0, []]);
  });
});
