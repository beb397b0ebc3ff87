// Which unit tests share a process, so that each file does not load the framework again: those whose text has nothing
// that another file in the process would notice, and that count nothing which others add to.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Replaced modules, what all of a process share, other processes, databases and figures. */
const needsOwnProcess = [
  // Spies, clocks and stubs end with each test: see the project unit-shared, and shared-process.ts.
  /\bvi\.(?:doMock|doUnmock|hoisted|importActual|mock|mocked|resetModules|setConfig|unmock)\b/,
  /\bprocess\.(?:argv|chdir|emit|env|exit|exitCode|kill|on|once|stderr|stdin|stdout|umask)\b/,
  /\b(?:globalThis|defineProperty|unhandledRejection|worker_threads)\b/,
  /\b(?:console|performance)\b/,
  /\b(?:memoryUsage|spawn|spawnSync)\b|\b(?:fork|gc)\(/,
  /\b(?:databases|dev-session|terminal|trial-session)\.js\b|e2e\//,
];

/** Paths of test files, by whether they can share a process. */
export interface TestsByProcess {
  readonly shared: string[];
  readonly separate: string[];
}

/**
 * The test files of these folders, by their paths from here.
 *
 * @param slow those that `npm test` leaves out
 * @throws Error if one of them does not exist
 */
export function testsByProcess(
  folders: readonly string[],
  slow: readonly string[],
): { quick: TestsByProcess; slow: TestsByProcess } {
  const paths = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.test.ts') && !name.includes('node_modules'))
      .map((name) => join(folder, name).replaceAll('\\', '/')),
  );
  const gone = slow.find((path) => !paths.includes(path));
  if (gone !== undefined) throw new Error(`${gone} does not exist; correct the list in .ci/slow-tests.ts`);
  return {
    quick: byProcess(paths.filter((path) => !slow.includes(path))),
    slow: byProcess(slow),
  };
}

function byProcess(paths: readonly string[]): TestsByProcess {
  const shared = paths.filter((path) => canShare(readFileSync(path, 'utf8')));
  return { shared, separate: paths.filter((path) => !shared.includes(path)) };
}

export function canShare(text: string): boolean {
  return !needsOwnProcess.some((pattern) => pattern.test(text));
}
