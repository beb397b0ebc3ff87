import { describe, expect, it } from 'vitest';
import { FwHeaders } from './headers.js';

describe('FwHeaders', () => {
  it('ignores case, keeps the first spelling and the order', () => {
    const headers = new FwHeaders();
    headers.set('X-One', 1);
    headers.append('Vary', 'Origin');
    headers.append('vary', 'Accept');
    headers.set('x-one', 'uno');
    expect(headers.get('X-ONE')).toBe('uno');
    expect(headers.get('VARY')).toBe('Origin, Accept');
    expect([...headers]).toEqual([
      ['X-One', 'uno'],
      ['Vary', 'Origin'],
      ['vary', 'Accept'],
    ]);
  });

  it('set replaces every field of the name, delete removes them', () => {
    const headers = new FwHeaders();
    headers.append('A', '1');
    headers.append('A', '2');
    headers.append('B', '3');
    headers.set('a', 'only');
    expect([...headers]).toEqual([
      ['A', 'only'],
      ['B', '3'],
    ]);
    headers.delete('a');
    expect(headers.has('A')).toBe(false);
    expect(headers.get('A')).toBeUndefined();
  });

  it('keeps cookies apart', () => {
    const headers = new FwHeaders();
    headers.append('Set-Cookie', 'a=1');
    headers.append('Set-Cookie', 'b=2');
    expect(headers.getSetCookie()).toEqual(['a=1', 'b=2']);
  });

  it.each(['', 'a b', 'a:b', 'a\r\nb', 'ä'])('refuses the name %j', (name) => {
    expect(() => new FwHeaders().set(name, 'x')).toThrow('invalid header name');
  });

  it.each(['a\r\nb', 'a\nb', 'a\0b', 'a\x7f', '€'])('refuses the value %j', (value) => {
    expect(() => new FwHeaders().append('X', value)).toThrow("invalid value of header 'X'");
  });

  it('refuses Transfer-Encoding', () => {
    expect(() => new FwHeaders().set('transfer-encoding', 'chunked')).toThrow('set by the server');
  });
});

describe('a copy of FwHeaders', () => {
  const original = () => {
    const headers = new FwHeaders();
    headers.set('ETag', '"1"');
    headers.append('Vary', 'Accept');
    return headers;
  };

  it.each<[string, (headers: FwHeaders) => void, [string, string][]]>([
    [
      'set',
      (headers) => headers.set('etag', '"2"'),
      [
        ['ETag', '"2"'],
        ['Vary', 'Accept'],
      ],
    ],
    [
      'append',
      (headers) => headers.append('Vary', 'Origin'),
      [
        ['ETag', '"1"'],
        ['Vary', 'Accept'],
        ['Vary', 'Origin'],
      ],
    ],
    ['delete', (headers) => headers.delete('VARY'), [['ETag', '"1"']]],
  ])('is changed by %s alone, in its head too', (_name, change, expected) => {
    const first = original();
    const copies = [first.copy(), first.copy()] as const;
    change(copies[0]);
    expect([...copies[0]]).toEqual(expected);
    expect(copies[0].toHead()).toBe(expected.map(([name, value]) => `${name}: ${value}\r\n`).join(''));
    for (const other of [first, copies[1]]) {
      expect([...other]).toEqual([...original()]);
      expect(other.toHead()).toBe(original().toHead());
    }
  });

  it('is not changed by its original', () => {
    const first = original();
    const copy = first.copy();
    first.set('ETag', '"2"');
    expect(copy.get('etag')).toBe('"1"');
    expect(first.toHead()).toContain('"2"');
  });
});
