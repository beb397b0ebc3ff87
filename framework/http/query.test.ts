import { describe, expect, it } from 'vitest';
import { firstQueryValue } from './request-target.js';

describe('the first value of a query parameter', () => {
  const searches = [
    '',
    '&',
    '=',
    'a',
    'a=',
    'a=1',
    'a=1&a=2',
    'ab=1&a=2',
    'b&a',
    '&&a=1&',
    'a==1',
    'a=b=1',
    'a&b=1',
    'a=%31',
    '%61=1',
    'a=1+2',
    '+=1',
    'x=a=1',
    'é=1',
    'a=é',
    '?a=1',
    'a=1?b',
    'a=%zz',
  ];
  const names = ['', 'a', 'b', 'ab', 'a=', 'a=b', 'a&b', ' ', '%61', '?a', 'é', 'constructor'];

  it.each(searches)('of %j is that of URLSearchParams', (search) => {
    for (const name of names) {
      expect(firstQueryValue(search, name), name).toBe(
        new URLSearchParams(`?${search}`).get(name) ?? undefined,
      );
    }
  });
});
