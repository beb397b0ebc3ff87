import { describe, expect, it } from 'vitest';
import { isJsonType, readMediaType, shownType } from './media-type.js';

describe('readMediaType', () => {
  it.each<[string, string, [string, string][]]>([
    ['text/plain', 'text/plain', []],
    ['a/b;x=""', 'a/b', [['x', '']]],
    [
      'aa/bb \t;\t  xx=yy \t ;zz="p p"\t ; ;q=1',
      'aa/bb',
      [
        ['xx', 'yy'],
        ['zz', 'p p'],
        ['q', '1'],
      ],
    ],
    ['Text/Plain ; Charset=UTF-8;;', 'text/plain', [['charset', 'UTF-8']]],
    [
      'a/b;x="1;y=\\"2\\"" ; z=3',
      'a/b',
      [
        ['x', '1;y="2"'],
        ['z', '3'],
      ],
    ],
  ])('%j', (text, name, parameters) => expect(readMediaType(text)).toEqual({ name, parameters }));

  it.each([
    '',
    'text',
    'text/',
    'a/b, c/d',
    'a/b; x',
    'a/b; x=',
    'a/b; x = y',
    'a/b;x="y',
    '\u00a0a/b',
    'a/b\u00a0',
  ])('refuses %j', (text) => expect(readMediaType(text)).toBeUndefined());
});

describe('shownType', () => {
  it('truncates text of more than 100 characters', () => {
    expect(shownType('x'.repeat(100))).toBe('x'.repeat(100));
    expect(shownType('x'.repeat(101))).toBe(`${'x'.repeat(100)}…`);
  });
});

describe('isJsonType', () => {
  it.each(['application/json', 'Application/JSON; charset=utf-8', 'application/problem+json'])('%s', (type) =>
    expect(isJsonType(type)).toBe(true),
  );

  it.each([
    'application/+json',
    'application/jsonx',
    'text/json',
    'application/json, text/plain',
    'a/b+jsonx',
    '',
    'json',
  ])('is false for %s', (type) => expect(isJsonType(type)).toBe(false));
});
