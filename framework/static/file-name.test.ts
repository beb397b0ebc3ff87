import { describe, expect, it } from 'vitest';
import { fileName } from './file-name.js';

it.each([
  ['a.txt', 'a.txt'],
  ['css/a b.css', 'css/a b.css'],
  ['50%25.txt', '50%.txt'],
  ['a..b/c..', 'a..b/c..'],
  ['~x/a:b', '~x/a:b'],
])('returns for %j the name %j', (text, name) => expect(fileName(text, 'linux')).toBe(name));

it.each([
  '',
  '/',
  '/etc/passwd',
  'a//b',
  'a/',
  '.',
  '..',
  '../a',
  'a/../b',
  'a/..',
  '.env',
  'a/.git/config',
  '...',
  'a%2Fb',
  '..%2Fa',
  'a\\b',
  '..\\a',
  'a\0',
])('refuses %j', (text) => expect(fileName(text, 'linux')).toBeUndefined());

it.each(['C:/x', 'a.txt::$DATA', 'ENV~1', 'GIT~1/config', 'a.txt.', 'a.txt ', 'a./b'])(
  'refuses %j on Windows, where it is another name of a file',
  (text) => expect(fileName(text, 'win32')).toBeUndefined(),
);

it.each(['con', 'NUL', 'a/aux.txt', 'com1', 'LPT9.log.txt', 'com¹', 'conin$', 'prn/a', 'con .txt'])(
  'refuses %j on Windows, where it is a device',
  (text) => {
    expect(fileName(text, 'win32')).toBeUndefined();
    expect(fileName(text, 'linux')).toBe(text);
  },
);

it.each(['console.js', 'icon', 'nul1', 'com10', 'com', 'my-con.txt', 'a/connect'])(
  'returns %j on Windows, which is not a device',
  (text) => expect(fileName(text, 'win32')).toBe(text),
);

describe('names that start with a dot', () => {
  const dotfiles = ['.well-known', '.a'];
  it.each([
    ['.well-known/security.txt', true],
    ['.well-known', true],
    ['x/.a/y', true],
    ['.well-known/.a', true],
    ['.well-known/.env', false],
    ['.well-knownx/y', false],
    ['.well-known/../x', false],
    ['.well-known//x', false],
    ['.well-known/', false],
    ['.well-known\\x', false],
    ['.env', false],
    ['.', false],
  ])('%s is allowed: %s', (text, isAllowed) => {
    expect(fileName(text, 'linux', dotfiles)).toBe(isAllowed ? text : undefined);
  });
});
