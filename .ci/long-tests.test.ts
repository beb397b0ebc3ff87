import { expect, test } from 'vitest';
import type { FailedFile } from './failed-files.js';
import { inTurn, runSome } from './long-tests.js';
import type { Run } from './tests.js';

const passed: Run = { passed: true, failed: [] };
const failure = (file: string): FailedFile => ({ project: 'long', file, message: `${file} failed` });

/** Runs `a` to `f` with these results, and gives also the most that ran at once. */
async function outcome(results: Partial<Record<string, Run>>, runsUntil = 'f') {
  const begun: string[] = [];
  const leftOut: string[] = [];
  let now = 0;
  let most = 0;
  const run = async (file: string): Promise<Run> => {
    begun.push(file);
    now += 1;
    most = Math.max(most, now);
    await new Promise(setImmediate);
    now -= 1;
    return results[file] ?? passed;
  };
  const isTimeUp = (): boolean => begun.includes(runsUntil);
  const all = await runSome(['a', 'b', 'c', 'd', 'e', 'f'], run, isTimeUp, (file) => leftOut.push(file));
  return { ...all, begun: begun.join(''), leftOut: leftOut.join(''), most };
}

test('all files run, three at a time', async () => {
  const expected = { passed: true, failed: [], begun: 'abcdef', leftOut: '', most: 3 };
  expect(await outcome({})).toEqual(expected);
});

test('those that have not begun when time is up are left out by name, and nothing else', async () => {
  expect(await outcome({}, 'd')).toMatchObject({ passed: true, begun: 'abcd', leftOut: 'ef' });
});

test('a file that fails is a failure of all, and named', async () => {
  const ofB: Run = { passed: false, failed: [failure('b')] };
  const expected = { passed: false, failed: [failure('b')], begun: 'abcdef' };
  expect(await outcome({ b: ofB })).toMatchObject(expected);
});

test('a run that crashed cannot be repeated by its files', async () => {
  const ofB: Run = { passed: false, failed: [failure('b')] };
  for (const failed of [undefined, []])
    expect(await outcome({ b: ofB, c: { passed: false, failed } })).toMatchObject({
      passed: false,
      failed: undefined,
    });
});

test('each commit begins with another file, and has all of them', () => {
  expect(inTurn(['a', 'b', 'c'], '00000004f')).toEqual(['b', 'c', 'a']);
  expect(inTurn(['a', 'b', 'c'], 'fffffffe0')).toEqual(['c', 'a', 'b']);
});
