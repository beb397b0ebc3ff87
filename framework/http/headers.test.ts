import { describe, expect, it } from 'vitest';
import { addVary, FwHeaders } from './headers.js';

describe('FwHeaders', () => {
  it('ignores case, and keeps the first spelling and the order', () => {
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

  it.each([
    [undefined, 'undefined'],
    [null, 'null'],
    [{}, 'an object'],
    [['a'], 'an array'],
    [true, 'a boolean'],
    [Number.NaN, 'NaN'],
    [Number.POSITIVE_INFINITY, 'Infinity'],
  ])('refuses %j as a value', (value, kind) => {
    expect(() => new FwHeaders().set('X', value as never)).toThrow(
      `the value of header 'X' is ${kind}; give a string or a number`,
    );
  });

  it('keeps cookies separate', () => {
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

  it.each(['Transfer-Encoding', 'transfer-encoding'])('refuses %s', (name) => {
    expect(() => new FwHeaders().set(name, 'chunked')).toThrow('set by the server');
    expect(() => new FwHeaders().append(name, 'chunked')).toThrow('set by the server');
  });

  it('refuses Trailer, because no trailer fields are sent', () => {
    expect(() => new FwHeaders().set('Trailer', 'X-Sum')).toThrow("'Trailer' cannot be set");
  });

  it('accepts numbers, tabs and the upper half of Latin-1', () => {
    const headers = new FwHeaders();
    headers.set('X-Number', 12);
    headers.append('X-Text', 'a\tb\u0080\u00ff~ ');
    expect(headers.toHead()).toBe('X-Number: 12\r\nX-Text: a\tb\u0080\u00ff~ \r\n');
  });

  it('removes all fields of a name, at every position', () => {
    const headers = new FwHeaders();
    for (const [name, value] of [
      ['A', '1'],
      ['B', '2'],
      ['a', '3'],
      ['C', '4'],
      ['A', '5'],
    ] as const)
      headers.append(name, value);
    expect(headers.get('a')).toBe('1, 3, 5');
    expect(headers.has('c')).toBe(true);
    headers.set('a', '6');
    expect([...headers]).toEqual([
      ['A', '6'],
      ['B', '2'],
      ['C', '4'],
    ]);
    headers.delete('A');
    headers.delete('none');
    expect([...headers]).toEqual([
      ['B', '2'],
      ['C', '4'],
    ]);
  });

  it.each(['Connection', 'Keep-Alive', 'Date', 'Upgrade'])('knows whether it contains %s', (name) => {
    const headers = new FwHeaders();
    headers.set('X-Other', '1');
    expect(headers.framesItself).toBe(false);
    headers.set(name, 'x');
    expect(headers.framesItself).toBe(true);
    expect(headers.copy().framesItself).toBe(true);
  });
});

describe('addVary', () => {
  it.each([
    [undefined, 'Accept', 'Accept'],
    ['Origin', 'Accept', 'Origin, Accept'],
    ['Origin, accept', 'Accept', 'Origin, accept'],
    ['*', 'Accept', '*'],
    ['Accept-Encoding', 'Accept', 'Accept-Encoding, Accept'],
  ])('to %s adds %s', (present, name, expected) => {
    const headers = new FwHeaders();
    if (present !== undefined) headers.set('Vary', present);
    addVary(headers, name);
    expect([...headers].map(([, value]) => value)).toEqual([expected]);
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
  ])('changes with %s without changing the original, prepared head included', (_name, change, expected) => {
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

  it('does not change with the original', () => {
    const first = original();
    const copy = first.copy();
    first.set('ETag', '"2"');
    expect(copy.get('etag')).toBe('"1"');
    expect(first.toHead()).toContain('"2"');
  });
});
