import { expect, it } from 'vitest';
import { formatHttpDate, readHttpDate } from './static-file.js';

it.each(['Sun, 06 Nov 1994 08:49:37 GMT', 'Sunday, 06-Nov-94 08:49:37 GMT', 'Sun Nov  6 08:49:37 1994'])(
  'reads the forms of RFC 9110, section 5.6.7: %s',
  (date) => expect(readHttpDate(date)).toBe(784_111_777),
);

it.each([
  '',
  '1994-11-06T08:49:37Z',
  '784111777',
  'Sun, 06 Nov 1994 08:49:37 +0100',
  'Sun, 06 Nov 1994 25:49:37 GMT',
  'Sun, 06 Abc 1994 08:49:37 GMT',
  'Sun, 06 Nov 1994 08:49:37 GMT, Sun, 06 Nov 1994 08:49:37 GMT',
])('ignores %j', (text) => expect(readHttpDate(text)).toBeUndefined());

it('writes the preferred format', () =>
  expect(formatHttpDate(784_111_777)).toBe('Sun, 06 Nov 1994 08:49:37 GMT'));
