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

test.each([
  ['port', ['host', 'backend_port'], 'backend_port'],
  ['hosts', ['host', 'allowed_hosts'], 'allowed_hosts'],
  ['age', ['page', 'maxAge'], 'maxAge'],
  ['pathh', ['path', 'output_path'], 'path'],
])('for %s of %j, %s is suggested', (word, names, meant) => {
  expect(nearest(word, names)).toBe(meant);
});

test.each([
  // Swapped neighbours are one mistake, two other letters are two.
  ['lnit', ['knot', 'lint'], 'lint'],
  // The first of those that are equally near.
  ['tesx', ['test', 'text'], 'test'],
  ['xxxabcdefg', ['abcdefg'], 'abcdefg'],
  ['headerName', ['head', 'header'], 'header'],
  ['headerName', ['header', 'head'], 'header'],
  ['forEverAndEver', ['for'], 'for'],
])('for %s, of %j, %s is suggested', (word, candidates, meant) => {
  expect(nearest(word, candidates)).toBe(meant);
});

test.each([
  ['abcd', 'wxyz'],
  ['abcdef', 'bxdyfz'],
  ['abcdef', 'xaycze'],
  ['xxxxabcdefg', 'abcdefg'],
  ['d', 'dev'],
  ['toBeLonger', 'to'],
])('for %s, %s is not suggested', (word, candidate) => {
  expect(nearest(word, [candidate])).toBeUndefined();
});

test.each(['frobnicate', '', 'x', 'constructor', 'init', 'deploy'])(
  'for %j, nothing is suggested',
  (word) => {
    expect(nearest(word, commands)).toBeUndefined();
  },
);
