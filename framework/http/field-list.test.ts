import { describe, expect, it } from 'vitest';
import { listMembers, listsToken, readWeights } from './field-list.js';

const weights = (field: string) => Object.fromEntries(readWeights(field));

describe('readWeights', () => {
  it.each<[string, Record<string, number>]>([
    ['gzip, br;q=0.5', { gzip: 1, br: 0.5 }],
    ['GZip;Q=0.001\t,\t*;q=0', { gzip: 0.001, '*': 0 }],
    ['gzip; q = 0.5', { gzip: 0.5 }],
    ['gzip;x=1;q=0.2;q=0.3', { gzip: 0.2 }],
    ['gzip;q=0.5, gzip;q=1', { gzip: 0.5 }],
    ['text/html;a="x, y;q=0";q=0.3, */*', { 'text/html': 0.3, '*/*': 1 }],
    ['text/html;a="\\";q=0", */*', { 'text/html': 1, '*/*': 1 }],
    ['gzip;a="never closed, br', { gzip: 1 }],
    [' , ,,gzip,', { gzip: 1 }],
    [';q=1', {}],
    ['*;q=0.5', { '*': 0.5 }],
    ['q=0', { 'q=0': 1 }],
    ['q=1;q=0.5', { 'q=1': 0.5 }],
    ['gzip;qx', { gzip: 1 }],
    ['\u00a0gzip', { '\u00a0gzip': 1 }],
  ])('%j', (field, expected) => expect(weights(field)).toEqual(expected));

  it.each(['', '2', '-1', '+1', '1.001', '0.0001', '.5', '0,5', 'x', '1e0', '\u00a01', '"1"'])(
    'reads the malformed weight %j as 0',
    (weight) => expect(weights(`gzip;q=${weight}`).gzip).toBe(0),
  );
});

describe('listMembers', () => {
  it('omits white space and empty members, and keeps quoted commas', () => {
    expect([...listMembers(' a ,,\tb="1,2" , \u00a0')]).toEqual(['a', 'b="1,2"', '\u00a0']);
  });
});

describe('listsToken', () => {
  it('compares whole members, regardless of case', () => {
    expect(listsToken('keep-alive, CLOSE', 'close')).toBe(true);
    expect(listsToken('x-close, close-x, \u00a0close', 'close')).toBe(false);
    expect(listsToken(undefined, 'close')).toBe(false);
  });
});
