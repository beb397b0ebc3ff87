import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import type { FailedFile } from './failed-files.js';
import { flakyLine, passes, type Run } from './tests.js';

const failure = (file: string, project = 'unit'): FailedFile => ({
  project,
  file,
  message: `${file} failed`,
});
const again = ({ project, file }: FailedFile, ...only: string[]) =>
  ['npx', 'vitest', 'run', '--project', project, resolve(file), '--no-file-parallelism', ...only].join(' ');

/** Runs `npm test` with these results, the first for the command itself and each other one for a file run again. */
async function outcome(first: Run, second: boolean[] = [], command = ['npm', 'test']) {
  const ran: string[] = [];
  const flaky: string[] = [];
  const results = [first, ...second.map((passed): Run => ({ passed, failed: [] }))];
  const run = async (one: readonly string[]): Promise<Run> => {
    ran.push(one.join(' '));
    return results[ran.length - 1] ?? { passed: false, failed: undefined };
  };
  return { passed: await passes(command, run, ({ file }) => flaky.push(file)), ran, flaky };
}

const a = failure('a.test.ts');
const b = failure('b.test.ts', 'e2e');

test('tests that pass run once', async () => {
  expect(await outcome({ passed: true, failed: [] })).toEqual({ passed: true, ran: ['npm test'], flaky: [] });
});

test('a file that passes the second time does not fail CI, and is flaky', async () => {
  const ran = ['npm test', again(a), again(b)];
  expect(await outcome({ passed: false, failed: [a, b] }, [true, true])).toEqual({
    passed: true,
    ran,
    flaky: ['a.test.ts', 'b.test.ts'],
  });
});

test('a file that fails twice fails CI, and the others are run again too', async () => {
  const ran = ['npm test', again(a), again(b)];
  const expected = { passed: false, ran, flaky: ['b.test.ts'] };
  expect(await outcome({ passed: false, failed: [a, b] }, [false, true])).toEqual(expected);
});

test('a run that failed without a list of files, or an empty one, fails at once', async () => {
  const expected = { passed: false, ran: ['npm test'], flaky: [] };
  expect(await outcome({ passed: false, failed: undefined }, [true])).toEqual(expected);
  expect(await outcome({ passed: false, failed: [] }, [true])).toEqual(expected);
});

test('more than five files fail at once, and one in two projects is one file', async () => {
  const failed = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => failure(`${name}.test.ts`));
  const expected = { passed: false, ran: ['npm test'], flaky: [] };
  expect(await outcome({ passed: false, failed }, [true, true, true, true, true, true])).toEqual(expected);
  const twice = [...failed.slice(0, 5), failure('a.test.ts', 'client-import')];
  expect(await outcome({ passed: false, failed: twice }, [true, true, true, true, true, true])).toMatchObject(
    {
      passed: true,
    },
  );
});

test('the tests that the first run leaves out are left out of the second', async () => {
  const command = ['npx', 'vitest', 'run', 'framework/', '-t', '^(?!.*strictest)'];
  const { ran } = await outcome({ passed: false, failed: [a] }, [true], command);
  expect(ran[1]).toBe(again(a, '-t', '^(?!.*strictest)'));
});

test('a flaky file is one line with the beginning of what it said', () => {
  expect(flakyLine({ ...a, message: 'expected 1\nto be 2\n\nat a\nat b' })).toBe(
    'flaky: a.test.ts (unit) failed, and passed alone; it had said: expected 1 | to be 2 | ',
  );
});
