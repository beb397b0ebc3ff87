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
      ['a', [1, null, 'b c']],
      ['d', undefined],
      ['é', false],
    ]),
  ).toBe('?a=1&a=b%20c&%C3%A9=false');
});
