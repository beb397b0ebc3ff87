import { describe, expect, it } from 'vitest';
import { FwResponse } from '../http/response.js';
import { eventStream, isEventStream } from './event-stream.js';
import { sseChannel } from './sse-channel.js';
import { SseEvent } from './sse-event.js';

describe('isEventStream', () => {
  const typed = (type: string | undefined, isStream = true) => {
    const response = isStream
      ? FwResponse.ofStream(ReadableStream.from([]), 200)
      : new FwResponse('', 200, undefined);
    if (type !== undefined) response.headers.set('Content-Type', type);
    return response;
  };

  it.each([
    'text/event-stream',
    'TEXT/Event-Stream',
    'text/event-stream;charset=utf-8',
    'text/event-stream \t ; x',
  ])('is true for a stream with Content-Type %s', (type) => {
    expect(isEventStream(typed(type))).toBe(true);
  });

  it.each([undefined, 'text/plain', 'text/event-streams', 'x-text/event-stream', 'text/event-stream x'])(
    'is false for a stream with Content-Type %s',
    (type) => {
      expect(isEventStream(typed(type))).toBe(false);
    },
  );

  it('is false for a response that is not a stream', () => {
    expect(isEventStream(typed('text/event-stream', false))).toBe(false);
  });
});

describe.each([
  ['without pings', undefined],
  ['with pings', 60_000],
])('an event stream %s', (_kind, pingMs) => {
  /** The chunks of its body, as a server reads them. */
  const textsOf = (events: AsyncIterable<SseEvent>) =>
    (eventStream(events, pingMs).stream as AsyncIterable<string>)[Symbol.asyncIterator]();

  it('has the text of each event, then its end', async () => {
    const { sender, stream } = sseChannel();
    sender.send(SseEvent.data('a'));
    sender.close();
    const texts = textsOf(stream);
    expect(await texts.next()).toEqual({ done: false, value: 'data: a\n\n' });
    expect(await texts.next()).toEqual({ done: true, value: undefined });
  });

  it('unsubscribes when its reader leaves, and has ended then', async () => {
    const { sender, stream } = sseChannel();
    const texts = textsOf(stream);
    expect(sender.subscribers).toBe(1);
    expect(await texts.return?.()).toEqual({ done: true, value: undefined });
    expect(sender.subscribers).toBe(0);
  });

  it.each([
    ['text', 'a string'],
    [{ data: 'x' }, 'an object'],
  ])('fails at %j, which is not an event', async (item, kind) => {
    const texts = textsOf(ReadableStream.from([item]) as unknown as AsyncIterable<SseEvent>);
    await expect(texts.next()).rejects.toThrow(
      new Error(`an event stream yielded ${kind}; yield SseEvent.data(text) instead`),
    );
  });

  it('is locked if its events are', () => {
    const { stream } = sseChannel();
    const { stream: body } = eventStream(stream, pingMs);
    expect(body).toMatchObject({ locked: false });
    stream[Symbol.asyncIterator]();
    expect(body).toMatchObject({ locked: true });
    const plain = (async function* () {})();
    expect(eventStream(plain, pingMs).stream).toMatchObject({ locked: false });
  });
});
