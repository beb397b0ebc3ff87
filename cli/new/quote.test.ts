import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { cdTo, commandIn, quote } from './quote.js';

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

test.each<[folder: string, platform: NodeJS.Platform, steps: string[], line: string]>([
  ['.', 'linux', [], 'npm i'],
  ['', 'win32', [], 'npm i'],
  ['a b', 'linux', ["cd 'a b'"], "cd 'a b' && npm i"],
  ['my-app', 'win32', ['cd my-app'], 'npm i (in my-app)'],
  ['..\\a b', 'win32', ['cd "..\\a b"'], 'npm i (in ..\\a b)'],
  // cmd needs the second line, and PowerShell takes it.
  ['D:\\app', 'win32', ['cd "D:\\app"', 'D:'], 'npm i (in D:\\app)'],
  ['\\\\server\\share', 'win32', ['cd "\\\\server\\share"'], 'npm i (in \\\\server\\share)'],
])('a command in %j on %s', (folder, platform, steps, line) => {
  expect(cdTo(folder, platform)).toEqual(steps);
  expect(commandIn(folder, 'npm i', platform)).toBe(line);
});
