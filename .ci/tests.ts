// Runs tests in CI, and each file that failed once more, alone: tsx .ci/tests.ts COMMAND…, a command that runs Vitest.
// Both runs of a file must fail to fail CI. A file that passed the second time is written to the file FW_NOTES, whose
// lines CI prints at its end.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { FailedFile } from './failed-files.js';

/** With more than these, something other than chance is wrong. */
const MAX_FILES_AGAIN = 5;

export interface Run {
  readonly passed: boolean;
  /** Undefined when the run ended without a list of them, such as by a crash. */
  readonly failed: readonly FailedFile[] | undefined;
}

/** Whether the tests pass, each failed file at the second try at the latest; gives those that did to `onFlaky`. */
export async function passes(
  command: readonly string[],
  run: (command: readonly string[]) => Promise<Run>,
  onFlaky: (file: FailedFile) => void,
): Promise<boolean> {
  const { passed, failed = [] } = await run(command);
  if (passed) return true;
  if (failed.length === 0 || new Set(failed.map(({ file }) => file)).size > MAX_FILES_AGAIN) return false;
  // All of them, so that one run of CI says everything.
  let haveAllPassed = true;
  for (const one of failed) {
    const { passed: hasPassed } = await run(commandAgain(command, one));
    if (hasPassed) onFlaky(one);
    haveAllPassed &&= hasPassed;
  }
  return haveAllPassed;
}

/** Of the options of the first run, the tests of a file that it leaves out are left out again. */
function commandAgain(command: readonly string[], { project, file }: FailedFile): readonly string[] {
  const at = command.indexOf('-t');
  const only = at === -1 ? [] : command.slice(at, at + 2);
  return ['npx', 'vitest', 'run', '--project', project, resolve(file), '--no-file-parallelism', ...only];
}

/** One line, with the beginning of the message. */
export function flakyLine({ project, file, message }: FailedFile): string {
  const said = message.split('\n').slice(0, 3).join(' | ').slice(0, 500);
  return `flaky: ${file} (${project}) failed, and passed alone; it had said: ${said}`;
}

const running = new Set<ChildProcess>();

/** Runs the command, and gives what failed. Its output is shown as it comes, or, if it is `held`, when it has ended. */
export async function runTests([program = '', ...args]: readonly string[], held = false): Promise<Run> {
  const folder = mkdtempSync(join(tmpdir(), 'fw-failed-files-'));
  const [report, log] = [join(folder, 'failed.json'), join(folder, 'output.txt')];
  // A file, as a process that a test has left would keep a pipe open.
  const output = held ? openSync(log, 'w') : 'inherit';
  try {
    const child = spawn(program, args, {
      stdio: ['inherit', output, output],
      env: { ...process.env, FW_FAILED_FILES: report },
    });
    running.add(child);
    const [status] = await once(child, 'exit');
    running.delete(child);
    if (held) process.stdout.write(readFileSync(log));
    const failed = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : undefined;
    return { passed: status === 0, failed };
  } finally {
    if (typeof output === 'number') closeSync(output);
    rmSync(folder, { recursive: true });
  }
}

/** Ends what it runs when it is ended itself. */
export function endTogether(): void {
  process.once('SIGTERM', () => {
    for (const child of running) child.kill();
    process.exit(1);
  });
}

/** For the end of CI. */
export function note(line: string): void {
  console.log(line);
  if (process.env.FW_NOTES !== undefined) appendFileSync(process.env.FW_NOTES, `${line}\n`);
}

async function main(command: readonly string[]): Promise<number> {
  endTogether();
  let isFirst = true;
  const run = (one: readonly string[]): Promise<Run> => {
    if (!isFirst) console.log(`\nAgain, alone, since it failed: ${one.join(' ')}`);
    isFirst = false;
    return runTests(one);
  };
  return (await passes(command, run, (file) => note(flakyLine(file)))) ? 0 : 1;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  process.exitCode = await main(process.argv.slice(2));
