import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { sseChannel } from './sse-channel.js';
import { SseEvent } from './sse-event.js';

const event = (n: number): SseEvent => SseEvent.data(String(n));

async function readAll(stream: AsyncIterable<SseEvent>): Promise<string> {
  let texts = '';
  for await (const one of stream) texts += /data: (.*)/.exec(String(one))?.[1];
  return texts;
}

describe('sseChannel', () => {
  it('keeps events that are sent before the stream is read, and ends after them', async () => {
    const { sender, stream } = sseChannel();
    for (const n of [1, 2, 3]) expect(sender.send(event(n))).toBe(true);
    sender.close();
    expect(await readAll(stream)).toBe('123');
  });

  it('ends pending reads when it is closed', async () => {
    const { sender, stream } = sseChannel();
    const others = [sender.subscribe(), sender.subscribe()];
    const read = Promise.all([stream, ...others].map(readAll));
    sender.send(event(1));
    sender.close();
    expect(await read).toEqual(['1', '1', '1']);
    expect(sender.subscribers).toBe(0);
  });

  it('returns false after close, and further calls have no effect', async () => {
    const { sender, stream } = sseChannel();
    sender.close();
    sender.close();
    expect(sender.send(event(1))).toBe(false);
    expect(await readAll(stream)).toBe('');
    expect(await readAll(sender.subscribe())).toBe('');
  });

  it('drops the oldest events of a slow reader, and not those of others', async () => {
    const { sender, stream: slow } = sseChannel({ capacity: 3 });
    const fast = sender.subscribe();
    const iterator = fast[Symbol.asyncIterator]();
    for (let n = 0; n < 8; n += 1) {
      sender.send(event(n));
      expect(String((await iterator.next()).value)).toBe(`data: ${n}\n\n`);
    }
    expect([slow.dropped, fast.dropped, sender.dropped]).toEqual([5, 0, 5]);
    sender.close();
    expect(await readAll(slow)).toBe('567');
  });

  it('holds 1024 events by default', () => {
    const { sender, stream } = sseChannel();
    for (let n = 0; n < 1030; n += 1) sender.send(event(n));
    expect(stream.dropped).toBe(6);
  });

  it('resolves reads in the order of their calls', async () => {
    const { sender, stream } = sseChannel();
    const iterator = stream[Symbol.asyncIterator]();
    const asked = Promise.all([iterator.next(), iterator.next(), iterator.next()]);
    sender.send(event(1));
    sender.send(event(2));
    sender.close();
    expect((await asked).map(({ value }) => value?.toString())).toEqual([
      'data: 1\n\n',
      'data: 2\n\n',
      undefined,
    ]);
  });

  it('has no subscriber until its stream is accessed', () => {
    const channel = sseChannel();
    channel.sender.send(event(1));
    expect(channel.sender.subscribers).toBe(0);
    expect(channel.stream).toBe(channel.stream);
    expect(channel.sender.subscribers).toBe(1);
  });

  it('unsubscribes a reader that leaves', async () => {
    const { sender, stream } = sseChannel();
    sender.send(event(1));
    for await (const _ of stream) break;
    expect(sender.subscribers).toBe(0);
    sender.send(event(2));
    expect(sender.dropped).toBe(0);
  });

  it('ends a pending read when its reader leaves', async () => {
    const { sender } = sseChannel();
    const iterator = sender.subscribe()[Symbol.asyncIterator]();
    const waiting = iterator.next();
    await iterator.return?.();
    expect(await waiting).toEqual({ done: true, value: undefined });
  });

  it('returns no more events after its reader left, even if events are queued', async () => {
    const { sender, stream } = sseChannel();
    sender.send(event(1));
    sender.send(event(2));
    const iterator = stream[Symbol.asyncIterator]();
    await iterator.next();
    expect(await iterator.return?.()).toEqual({ done: true, value: undefined });
    expect(await iterator.next()).toEqual({ done: true, value: undefined });
  });

  it('counts each open stream as one subscriber', async () => {
    const { sender, stream } = sseChannel();
    const unread = sender.subscribe();
    const iterator = stream[Symbol.asyncIterator]();
    expect(sender.subscribers).toBe(2);
    sender.send(event(1));
    expect((await iterator.next()).value?.toString()).toBe('data: 1\n\n');
    sender.close();
    expect(await iterator.next()).toEqual({ done: true, value: undefined });
    expect(await readAll(unread)).toBe('1');
    expect(await readAll(sender.subscribe())).toBe('');
    expect(sender.subscribers).toBe(0);
  });

  it('refuses a second reader', () => {
    const { stream } = sseChannel();
    stream[Symbol.asyncIterator]();
    expect(() => stream[Symbol.asyncIterator]()).toThrow('make another stream with sender.subscribe()');
  });

  it('releases a stream that is no longer reachable', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const { sender } = sseChannel();
    const subscribeAndFail = () => void sender.subscribe();
    for (let n = 0; n < 100; n += 1) subscribeAndFail();
    // A WeakRef holds its target until the end of the current job.
    await new Promise((resolve) => setImmediate(resolve));
    collect();
    expect(sender.subscribers).toBe(0);
  });

  it('keeps a stream with a pending read, even if it is not referenced elsewhere', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const { sender } = sseChannel();
    const got: string[] = [];
    const listen = async () => {
      for await (const one of sender.subscribe()) got.push(String(one));
    };
    void listen();
    await new Promise((resolve) => setImmediate(resolve));
    collect();
    sender.send(event(1));
    await new Promise((resolve) => setImmediate(resolve));
    expect(got).toEqual(['data: 1\n\n']);
  });

  it.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])('refuses a capacity of %s', (capacity) => {
    expect(() => sseChannel({ capacity })).toThrow(
      `sseChannel: capacity is ${capacity}; give a whole number, 1 or more`,
    );
  });

  it('may have a capacity of one event', async () => {
    const { sender, stream } = sseChannel({ capacity: 1 });
    sender.send(event(1));
    sender.send(event(2));
    sender.close();
    expect([stream.dropped, await readAll(stream)]).toEqual([1, '2']);
  });

  it('refuses to send values that are not an event', () => {
    const { sender } = sseChannel();
    expect(() => sender.send('x' as unknown as SseEvent)).toThrow('send() takes an SseEvent, got a string');
  });
});
