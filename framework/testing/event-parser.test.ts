import { describe, expect, it } from 'vitest';
import { EventParser } from './event-parser.js';

const STREAM =
  '\ufeff: welcome\nretry: 500\n\nevent: a\rid: 1\r\ndata: one\ndata:two\ndata\n\n:\n\n\n\nid\ndata:  x: y\r\r\nretry: soon\nevent:\nodd: z\ndata: {}\n\ndata: cut off\n';

const EVENTS = [
  { event: 'message', data: undefined, id: undefined, retry: 500, comments: ['welcome'] },
  { event: 'a', data: 'one\ntwo\n', id: '1', retry: undefined, comments: [] },
  { event: 'message', data: undefined, id: undefined, retry: undefined, comments: [''] },
  { event: 'message', data: ' x: y', id: '', retry: undefined, comments: [] },
  { event: 'message', data: '{}', id: undefined, retry: undefined, comments: [] },
];

describe('EventParser', () => {
  it('reads every kind of line, and drops an incomplete event at the end', () => {
    expect(new EventParser().push(STREAM)).toEqual(EVENTS);
  });

  it('reads a stream in pieces of any size', () => {
    for (let size = 1; size < 20; size++) {
      const parser = new EventParser();
      const events = [];
      for (let at = 0; at < STREAM.length; at += size)
        events.push(...parser.push(STREAM.slice(at, at + size)));
      expect(events, `pieces of ${size}`).toEqual(EVENTS);
    }
  });
});
