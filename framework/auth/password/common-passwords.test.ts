import { describe, expect, it } from 'vitest';
import { isCommonPassword } from './index.js';

describe('isCommonPassword', () => {
  it.each([
    'password1234',
    'Password1234',
    'PASSWORD123!',
    'qwertyuiop123',
    '123456789012',
    'iloveyou1234',
    'passwordpassword',
    'qwerty123qwerty123',
    'aaaaaaaaaaaaaa',
    'abcabcabcabc',
    'abcdefghijklmnop',
    'zyxwvutsrqponm',
    'qwertyuiopasdf',
    '098765432109',
    '!!dragon!!',
    '2024football',
    'ｐａｓｓｗｏｒｄ１２３４',
    // A word of four letters, with six signs around it.
    '123love456',
    '!!jazz!!',
    '##apple##',
    '{{dragon}}',
    // Four characters that are repeated, four keys side by side, and a hundred characters.
    'kq7jkq7jkq7j',
    'jklz',
    'zlkj',
    'a'.repeat(100),
  ])('refuses %s', async (password) => {
    expect(await isCommonPassword(password)).toBe(true);
  });

  it.each([
    'correct horse battery staple',
    'vT9#kQ2m!xLp',
    'meine katze heisst anders',
    '7391-dragon-8462',
    'xxxxxkjhwq',
    'password'.repeat(20),
    '1234love456',
    'kq7jwkq7jwkq7jw',
    'a'.repeat(101),
    '',
  ])('accepts %s, which no list has', async (password) => {
    expect(await isCommonPassword(password)).toBe(false);
  });

  it('refuses what is not text', async () => {
    await expect(isCommonPassword(undefined as never)).rejects.toThrow(/takes a string, got undefined/);
  });
});
