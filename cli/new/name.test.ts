import { describe, expect, test } from 'vitest';
import { directoryNameProblem, packageNameProblem, shown, suggestName } from './name.js';

describe('a package name', () => {
  test.each(['my-app', 'a', 'app2', 'my.app', '@scope/app', 'x_y'])('%j is accepted', (name) => {
    expect(packageNameProblem(name)).toBeUndefined();
  });

  test.each([
    ['', 'it is empty'],
    ['My-app', 'capital'],
    ['.app', 'period'],
    ['-x', 'begins with -'],
    ['_app', 'underscore'],
    ['my app', 'URL-friendly'],
    ['../x', 'period'],
    ['a/b', 'URL-friendly'],
    ['café', 'URL-friendly'],
    ["it's", 'special characters'],
    ['node_modules', 'npm keeps it for itself'],
    ['fs', 'module of Node.js'],
    ['con', 'Windows'],
    ['x'.repeat(215), '214'],
  ])('%j is refused: %s', (name, problem) => {
    expect(packageNameProblem(name)).toContain(problem);
  });
});

describe('a directory name', () => {
  test.each(['my-app', 'My App', 'console', 'com', 'com10', '.config', 'naïve'])('%j is accepted', (name) => {
    expect(directoryNameProblem(name)).toBeUndefined();
  });

  test.each([
    ['con', 'Windows'],
    ['NUL', 'Windows'],
    ['aux.txt', 'Windows'],
    ['com1', 'Windows'],
    ['LPT9.tar.gz', 'Windows'],
    ['app.', 'dot'],
    ['app ', 'space'],
    [' app', 'space'],
    ['a\nb', 'control'],
    ['a\u001b[2Jb', 'control'],
    ['a\u0000b', 'control'],
    ['a:b', ':'],
    ['a\\b', '\\'],
    ['ü'.repeat(128), '255'],
  ])('%j is refused: %s', (name, problem) => {
    expect(directoryNameProblem(name)).toContain(problem);
  });
});

test.each([
  ['My App!', 'my-app'],
  ['Ünïcode', 'u-ni-code'],
  ['...', 'my-app'],
  ['con', 'my-con'],
  ['http', 'my-http'],
])('the suggestion for %j is valid', (name, suggestion) => {
  expect(suggestName(name)).toBe(suggestion);
  expect(packageNameProblem(suggestion)).toBeUndefined();
});

test('a shown value is short, and has no control characters', () => {
  expect(shown('a\u001b[31mb')).toBe('"a\\u001b[31mb"');
  expect(shown('x'.repeat(100))).toHaveLength(63);
});
