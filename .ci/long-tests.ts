// Runs the long tests, three files at a time, and those that failed once more, alone: tsx .ci/long-tests.ts
// After the time in FW_CI_UNTIL, in seconds since 1970, none begins: CI names those at its end, and `.ci/nightly` runs
// all of them. So that a slow machine tries each some day, every commit begins with another.
import { execFileSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { longTests } from '../vitest.config.js';
import { endTogether, flakyLine, note, passes, type Run, runTests } from './tests.js';

const AT_ONCE = 3;

/** Runs each file by `run`, some at once. What has not begun when time is up is given to `onLeftOut`. */
export async function runSome(
  files: readonly string[],
  run: (file: string) => Promise<Run>,
  isTimeUp: () => boolean,
  onLeftOut: (file: string) => void,
): Promise<Run> {
  const waiting = [...files];
  const runs: Run[] = [];
  const lane = async (): Promise<void> => {
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
      if (isTimeUp()) onLeftOut(file);
      else runs.push(await run(file));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  // A run that crashed has no list of files that could run again.
  const hasCrashed = runs.some(({ passed, failed = [] }) => !passed && failed.length === 0);
  return {
    passed: runs.every(({ passed }) => passed),
    failed: hasCrashed ? undefined : runs.flatMap(({ failed = [] }) => failed),
  };
}

/** All files, from the one on that a commit's hash chooses. */
export function inTurn(files: readonly string[], hash: string): readonly string[] {
  const at = Number.parseInt(hash.slice(0, 8), 16) % files.length;
  return [...files.slice(at), ...files.slice(0, at)];
}

async function main(): Promise<number> {
  endTogether();
  const hash = execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' });
  const until = Number(process.env.FW_CI_UNTIL ?? Number.POSITIVE_INFINITY) * 1000;
  const command = ['npx', 'vitest', 'run', '--project', 'long'];
  const first = (): Promise<Run> =>
    runSome(
      inTurn(longTests, hash),
      (file) => runTests([...command, file], true),
      () => Date.now() > until,
      (file) => note(`left out, as time was up: ${file}; bash .ci/nightly runs it`),
    );
  const run = (one: readonly string[]): Promise<Run> => {
    if (one === command) return first();
    console.log(`\nAgain, alone, since it failed: ${one.join(' ')}`);
    return runTests(one);
  };
  return (await passes(command, run, (file) => note(flakyLine(file)))) ? 0 : 1;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) process.exitCode = await main();
