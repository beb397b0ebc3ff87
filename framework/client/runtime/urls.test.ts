import { expect, it } from 'vitest';
import { belowBaseUrl, besideProcedures, filledPath, searchOf } from './urls.js';

const connection = { client: undefined, nextId: 1, waiting: [] };

it('routes stand beside procedures, at the origin of their URL', () => {
  const base = (baseUrl: string, routesUrl?: string) =>
    besideProcedures({ ...connection, baseUrl, options: { routesUrl } });
  expect(base('https://a.example/rpc')).toBe('https://a.example');
  expect(base('/rpc')).toBe('');
  expect(base('/rpc', '/other')).toBe('/other');
  expect(belowBaseUrl({ ...connection, baseUrl: '/a/', options: {} })).toBe('/a');
});

it('parameters of paths are encoded, and must be there', () => {
  expect(filledPath('/a/:id/*rest', { id: 'x/y', rest: 'b c/d' })).toBe('/a/x%2Fy/b%20c/d');
  for (const id of ['', '.', '..', undefined, null])
    expect(() => filledPath('/a/:id', { id })).toThrow("the parameter 'id' of /a/:id cannot be");
});

it('a list is a pair for each of its items, and what is not there has none', () => {
  expect(searchOf([])).toBe('');
  expect(
    searchOf([
      ['a', [1, 'b c']],
      ['d', undefined],
      ['e', null],
      ['f', []],
      ['é', false],
    ]),
  ).toBe('?a=1&a=b%20c&%C3%A9=false');
});

it('a date has the text of its JSON, as every object that has one', () => {
  const at = new Date('2026-12-01T16:44:37.123Z');
  class Id {
    toString() {
      return 'id-1';
    }
  }
  const search = searchOf([
    ['at', at],
    ['all', [at, new URL('https://a.example/'), Object('x'), new Id(), 5n, -0]],
  ]);
  expect([...new URLSearchParams(search)]).toEqual([
    ['at', at.toISOString()],
    ...[at.toISOString(), 'https://a.example/', 'x', 'id-1', '5', '0'].map((text) => ['all', text]),
  ]);
  expect(filledPath('/at/:at', { at })).toBe('/at/2026-12-01T16%3A44%3A37.123Z');
});

it.each([
  ['null in a list', [1, null, 2]],
  ['undefined in a list', [undefined]],
  ['a list of lists', [[1, 2]]],
  ['an object', { from: 1 }],
  ['an object in a list', [{}]],
  ['a Map', new Map()],
  ['a date that is none', new Date(Number.NaN)],
])('%s is an error instead of another value', (_what, value) => {
  expect(() => searchOf([['a', value]])).toThrow(/^'a' has .*, for which a URL has no form$/);
});
