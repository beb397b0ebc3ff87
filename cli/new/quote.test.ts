import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { quote } from './quote.js';

test('a plain word needs no quotes', () => {
  expect(quote('../my-app/x.y', 'linux')).toBe('../my-app/x.y');
});

test
  .skipIf(process.platform === 'win32')
  .each(['My App', "it's", '~', '$HOME', 'a;b', '`x`', '"', '', '*', '!!', 'ä'])(
  'a shell reads the quoted %j unchanged',
  (word) => {
    expect(execFileSync('sh', ['-c', `printf %s ${quote(word, 'linux')}`], { encoding: 'utf8' })).toBe(word);
  },
);

test('double quotes are used on Windows', () => {
  expect(quote('My App', 'win32')).toBe('"My App"');
});
