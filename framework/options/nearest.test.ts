import { expect, test } from 'vitest';
import { nearest } from './nearest.js';

const commands = ['new', 'dev', 'generate', 'build', 'test', 'fmt', 'lint'];

test.each([
  ['nwe', 'new'],
  ['biuld', 'build'],
  ['buid', 'build'],
  ['DEV', 'dev'],
  ['tests', 'test'],
  ['li', 'lint'],
  ['bui', 'build'],
  ['gen', 'generate'],
])('for %s, %s is suggested', (word, meant) => {
  expect(nearest(word, commands)).toBe(meant);
});

test.each(['frobnicate', '', 'x', 'constructor'])('for %j, nothing is suggested', (word) => {
  expect(nearest(word, commands)).toBeUndefined();
});
