// What `fw generate --diff` prints, and how many changes it counts as breaking.
import { expect, it } from 'vitest';
import { absolutePath } from '../../framework/files/absolute-path.js';
import { RpcRegistry } from '../../framework/rpc/index.js';
import { plainColors } from '../terminal/color.js';
import { showDifference } from './show-difference.js';

function shown(before: string | undefined, after: string): readonly [breaking: number, lines: string[]] {
  const lines: string[] = [];
  const made = { file: absolutePath('/app/client.ts'), before, after };
  return [showDifference(made, plainColors, (line) => lines.push(line)), lines];
}

const client = (input: string, output: string, baseUrl = '/rpc'): string =>
  new RpcRegistry().queryWithTypes('find', () => 1, input, output).generateClient({ baseUrl });
const old = client('{ a: string }', '{ b: number }');

it('lists what breaks clients before what is safe, and counts that alone', () => {
  const [breaking, lines] = shown(old, client('{ a: string; more: string; some?: string }', '{ b: number }'));
  expect(breaking).toBe(1);
  expect(lines).toEqual([
    expect.stringMatching(/^breaks {2}find\.input\.more {2}\S/),
    expect.stringMatching(/^safe {4}find\.input\.some {2}\S/),
  ]);
});

it('tells a client of the same types from the same client', () => {
  expect(shown(old, old)).toEqual([0, ['no changes']]);
  const other = client('{ a: string }', '{ b: number }', '/api');
  expect(shown(old, other)).toEqual([0, ['no types changed; only the text of the client differs']]);
});

it('has nothing to compare without a client', () => {
  expect(shown(undefined, old)).toEqual([0, ['there is no client yet: nothing to compare']]);
});
