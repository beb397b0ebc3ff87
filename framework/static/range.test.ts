import { describe, expect, it } from 'vitest';
import { readRange } from './respond.js';

describe('readRange', () => {
  it.each([
    ['bytes=0-0', 10, 0, 0],
    ['bytes=2-5', 10, 2, 5],
    ['bytes=9-', 10, 9, 9],
    ['bytes=0-9', 10, 0, 9],
    ['bytes=0-10', 10, 0, 9],
    ['bytes=5-99999999999999999999', 10, 5, 9],
    ['bytes=-1', 10, 9, 9],
    ['bytes=-10', 10, 0, 9],
    ['bytes=-11', 10, 0, 9],
    ['BYTES= \t3-4 \t', 10, 3, 4],
    ['bytes=0-', 1, 0, 0],
  ])('%j of %d bytes', (field, size, first, last) => expect(readRange(field, size)).toEqual({ first, last }));

  it.each([
    ['bytes=10-', 10],
    ['bytes=10-12', 10],
    ['bytes=0-', 0],
    ['bytes=-0', 10],
    ['bytes=-0', 0],
  ])('%j of %d bytes cannot be satisfied', (field, size) =>
    expect(readRange(field, size)).toBe('unsatisfiable'),
  );

  it.each([
    'bytes=5-4',
    'bytes=20-19',
    'bytes=1-2,4-5',
    'bytes=',
    'bytes=-',
    'bytes=a-b',
    'bytes=1',
    'lines=1-2',
    'xbytes=1-2',
    'bytes=1-2x',
    'bytes=1--2',
    'bytes =1-2',
    'bytes=\u00a01-2',
    'bytes=1-2\u00a0',
    'bytes=-1x',
  ])('%j requests the whole file', (field) => expect(readRange(field, 10)).toBeUndefined());

  it('a suffix of an empty file requests the whole file', () => {
    expect(readRange('bytes=-5', 0)).toBeUndefined();
  });
});
