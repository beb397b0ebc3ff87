import { expect, it } from 'vitest';
import { acceptedCodings } from './file-server.js';

it.each<[string | undefined, string[]]>([
  [undefined, []],
  ['', []],
  ['gzip, br', ['br', 'gzip']],
  ['br', ['br']],
  ['gzip', ['gzip']],
  ['x-gzip', ['gzip']],
  ['gzip, br;q=0.5', ['gzip', 'br']],
  ['*', ['br', 'gzip']],
  ['*, br;q=0', ['gzip']],
  ['deflate', []],
  ['identity, br;q=0.5', []],
  ['br, identity;q=0.5, gzip;q=0.1', ['br']],
])('for %j the codings %j are accepted', (field, codings) => {
  expect(acceptedCodings(field)).toEqual(codings);
  // Again after another value, and after itself, because the last value is cached.
  acceptedCodings('br, x');
  expect(acceptedCodings(field)).toEqual(codings);
  expect(acceptedCodings(field)).toEqual(codings);
});
