import { describe, expect, it } from 'vitest';
import { SseEvent } from './sse-event.js';

describe('SseEvent', () => {
  it.each([
    ['a value is its JSON', SseEvent.new({ a: [1, null] }), 'data: {"a":[1,null]}\n\n'],
    ['text', SseEvent.data('grüße'), 'data: grüße\n\n'],
    ['empty text is an event too', SseEvent.data(''), 'data: \n\n'],
    ['a leading space is kept', SseEvent.data(' x'), 'data:  x\n\n'],
    ['a comment', SseEvent.comment('hi'), ': hi\n\n'],
    [
      'all fields',
      SseEvent.data('x').event('tick').id('7').retry(500),
      'event: tick\nid: 7\nretry: 500\ndata: x\n\n',
    ],
    ['no time before the client reconnects', SseEvent.data('x').retry(0), 'retry: 0\ndata: x\n\n'],
    ['an empty id, which makes clients forget theirs', SseEvent.data('x').id(''), 'id: \ndata: x\n\n'],
    [
      'every line break makes a line',
      SseEvent.data('a\nb\rc\r\nd'),
      'data: a\ndata: b\ndata: c\ndata: d\n\n',
    ],
    ['trailing and double breaks', SseEvent.data('\n\r\r\n'), 'data: \ndata: \ndata: \ndata: \n\n'],
    ['a comment of lines', SseEvent.comment('a\r\n\r\ndata: x'), ': a\n: \n: data: x\n\n'],
    [
      'fields in the data',
      SseEvent.data('a\r\n\r\nevent: x\nid: 1'),
      'data: a\ndata: \ndata: event: x\ndata: id: 1\n\n',
    ],
  ])('%s', (_, event, text) => {
    expect(event.toString()).toBe(text);
  });

  it('is serialized again after a change', () => {
    const event = SseEvent.data('x');
    expect(String(event)).toBe('data: x\n\n');
    expect(String(event.id('1'))).toBe('id: 1\ndata: x\n\n');
  });

  it.each(['a\nb', 'a\rb', 'a\r\nb', '\n', 'x\r\n\r\ndata: y'])(
    'refuses %j as a name and as an id',
    (text) => {
      const message = `${JSON.stringify(text)} contains a line break, which would start another field`;
      expect(() => SseEvent.data('').event(text)).toThrow(`the event ${message}`);
      expect(() => SseEvent.data('').id(text)).toThrow(`the id ${message}`);
    },
  );

  it('refuses an id with NUL, which clients would ignore', () => {
    expect(() => SseEvent.data('').id('a\0b')).toThrow('the id "a\\u0000b" contains a NUL');
  });

  it.each([-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 1e300, '1\ndata: x' as unknown as number])(
    'refuses %j as a reconnection time',
    (ms) => {
      expect(() => SseEvent.data('').retry(ms)).toThrow('is not a reconnection time');
    },
  );

  it('refuses data that is not text, and values that have no JSON form', () => {
    expect(() => SseEvent.new(undefined)).toThrow('undefined has no JSON form; use SseEvent.data(text)');
    expect(() => SseEvent.data(7 as unknown as string)).toThrow(
      'SseEvent.data() takes a string, got a number',
    );
    expect(() => SseEvent.comment(null as unknown as string)).toThrow(
      'SseEvent.comment() takes a string, got null',
    );
    expect(() => SseEvent.data('').event({} as string)).toThrow(
      'SseEvent event() takes a string, got an object',
    );
  });
});
