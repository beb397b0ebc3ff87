import { describe, expect, it, vi } from 'vitest';
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

  it('loads its list again that could not be loaded', async () => {
    let isThere = false;
    vi.doMock('@zxcvbn-ts/language-common', () => {
      if (!isThere) throw new Error('too many open files');
      return { dictionary: { 'passwords-common': ['vT9#kQ2m!xLp'.toLowerCase()] } };
    });
    vi.resetModules();
    try {
      const fresh = await import('./common-passwords.js');
      await expect(fresh.isCommonPassword('vT9#kQ2m!xLp')).rejects.toThrow();
      isThere = true;
      expect(await fresh.isCommonPassword('vT9#kQ2m!xLp')).toBe(true);
    } finally {
      vi.doUnmock('@zxcvbn-ts/language-common');
      vi.resetModules();
    }
  });

  it('refuses what is not text', async () => {
    await expect(isCommonPassword(undefined as never)).rejects.toThrow(/takes a string, got undefined/);
  });
});
