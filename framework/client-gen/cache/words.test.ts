import { expect, it } from 'vitest';
import { wordsIn } from './statements.js';

it.each([
  ['const a$ = _b.c1;', ['const', 'a$', '_b', 'c1']],
  ['// größe\n`{x}`', ['größe', 'x']],
  ['type A\\u0062c = 1', ['type', 'A', 'u0062c', 'Abc']],
  ['type A\\u{000000062}c = 1', ['type', 'Abc']],
  ['"\\u{ffffff}"', ['ffffff']],
])('finds the words of %s', (code, words) => {
  expect([...wordsIn(code)]).toEqual(expect.arrayContaining(words));
});

it('reads long texts of beginnings of escapes in linear time', () => {
  expect(wordsIn('\\u{'.repeat(200_000)).size).toBe(1);
  expect(wordsIn(`\\u{${'0'.repeat(1_000_000)}`).size).toBe(1);
});
