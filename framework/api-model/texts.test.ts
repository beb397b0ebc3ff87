// What arrives as text: Markdown of descriptions, events of a stream, and the log of them.
import { describe, expect, it } from 'vitest';
import { eventReader } from './event-stream.js';
import { emptyLog, MOST_ENTRIES, withEntries } from './live-log.js';
import { parseMarkdown } from './markdown.js';

describe('descriptions', () => {
  it('have paragraphs, lists, code, emphasis and links', () => {
    const text =
      'A **bold *word*** and `co*de*`.\nSee [here](https://a.example/x).\n\n# Title\n- one\n  more\n- two\n\n```ts\nconst a = 1;\n```\n1. first';
    expect(parseMarkdown(text)).toMatchObject([
      {
        kind: 'paragraph',
        content: [
          { text: 'A ' },
          { kind: 'strong' },
          {},
          {},
          {},
          { kind: 'link', href: 'https://a.example/x' },
          { text: '.' },
        ],
      },
      { kind: 'heading', content: [{ text: 'Title' }] },
      { kind: 'list', isOrdered: false, items: [[{ text: 'one\nmore' }], [{ text: 'two' }]] },
      { kind: 'code', text: 'const a = 1;' },
      { kind: 'list', isOrdered: true },
    ]);
  });

  it.each([
    '[a](javascript:alert(1))',
    '<img src=x onerror=alert(1)>',
    '[a](data:text/html,x)',
    '[a](//b)',
    '**a',
    '`',
    '[a](',
  ])('leave %s as text', (text) => {
    const blocks = parseMarkdown(text);
    expect(JSON.stringify(blocks)).not.toContain('"link"');
    expect(blocks).toMatchObject([{ kind: 'paragraph' }]);
  });

  it.each(['*', '**a', '[', '[a](', '`', '# ', '- ', '[a](https://', '```\n', '*a '])(
    'read 50,000 characters of %j once',
    (part) => {
      const text = part.repeat(50_000 / part.length);
      expect(parseMarkdown(text).length).toBeGreaterThan(0);
    },
  );
});

describe('events of a stream', () => {
  it('are read from parts, whatever the ends of lines', () => {
    const read = eventReader();
    const events = [
      'data: a\r',
      '\ndata:b\n\n: comment\nevent: x\nid: 7',
      '\ndata: {"',
      '1":2}\r\n\r\n',
      'event: none\n\n',
      'data\n\n',
    ].flatMap(read);
    expect(events).toEqual([
      { event: 'message', data: 'a\nb', id: undefined },
      { event: 'x', data: '{"1":2}', id: '7' },
      { event: 'message', data: '', id: '7' },
    ]);
  });

  it('are read from lines that end in different ways, and have no id with a NUL', () => {
    const read = eventReader();
    expect(read('id: 1\0\rdata: a\rdata: b\n\ndata: c\r\r')).toEqual([
      { event: 'message', data: 'a\nb', id: undefined },
      { event: 'message', data: 'c', id: undefined },
    ]);
  });

  it('refuse a line without an end', () => {
    const read = eventReader();
    expect(() => {
      for (let count = 0; count < 7; count++) read('a'.repeat(1_000_000));
    }).toThrow('longer than 5 MB');
  });
});

it('keeps the last entries of a log', () => {
  const entry = { at: 0, direction: 'in', name: '', id: '', text: 'x'.repeat(200_000) } as const;
  let log = emptyLog;
  for (let count = 0; count < MOST_ENTRIES + 20; count++) log = withEntries(log, [entry]);
  expect([log.count, log.entries.length, log.entries[0]?.number]).toEqual([520, 500, 21]);
  expect(log.entries[0]?.text.length).toBe(100_001);
});
