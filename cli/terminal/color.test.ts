// When what is printed has colours.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { colorsFor } from './color.js';

beforeEach(() => {
  for (const name of ['NO_COLOR', 'FORCE_COLOR', 'TERM']) vi.stubEnv(name, undefined);
});
afterEach(() => vi.unstubAllEnvs());

it.each([
  ['a terminal', {}, true, true],
  ['a pipe', {}, false, false],
  ['a terminal that moves no cursor', { TERM: 'dumb' }, true, false],
  ['a terminal, and NO_COLOR', { NO_COLOR: '1' }, true, false],
  ['a terminal, and an empty NO_COLOR', { NO_COLOR: '' }, true, true],
  ['a pipe, and FORCE_COLOR', { FORCE_COLOR: '1' }, false, true],
  ['a pipe, and an empty FORCE_COLOR', { FORCE_COLOR: '' }, false, true],
  ['a terminal, and FORCE_COLOR=0', { FORCE_COLOR: '0' }, true, false],
  ['a terminal, and FORCE_COLOR=false', { FORCE_COLOR: 'false' }, true, false],
  ['a terminal that moves no cursor, and FORCE_COLOR', { FORCE_COLOR: '1', TERM: 'dumb' }, true, true],
  ['both', { NO_COLOR: '1', FORCE_COLOR: '1' }, true, false],
])('%s: %j', (_where, variables, isTTY, isColored) => {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  expect(colorsFor({ isTTY }).red('a')).toBe(isColored ? '\u001b[31ma\u001b[39m' : 'a');
});
