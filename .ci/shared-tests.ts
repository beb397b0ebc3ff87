// Which unit tests share a process, so that each file does not load the framework again: those whose text has nothing
// that another file in the process would notice, and that count nothing which others add to.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Replacements and clocks of Vitest, what all of a process share, other processes, databases and figures. */
const needsOwnProcess = [
  /\bvi\.(?!(?:fn|waitFor)\b)/,
  /\bprocess\.(?:argv|chdir|emit|env|exit|exitCode|kill|on|once|platform|stderr|stdin|stdout|umask)\b/,
  /\b(?:globalThis|defineProperty|unhandledRejection|diagnostics_channel|worker_threads)\b/,
  /\b(?:console|performance)\./,
  /\b(?:memoryUsage|spawn|spawnSync)\b|\b(?:fork|gc)\(/,
  /\b(?:databases|dev-session|terminal|trial-session)\.js\b|e2e\//,
];

/** The test files of these folders, by their paths from here, that can share a process. */
export function sharedTests(folders: readonly string[]): string[] {
  return folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.test.ts') && !name.includes('node_modules'))
      .map((name) => join(folder, name).replaceAll('\\', '/'))
      .filter((path) => canShare(readFileSync(path, 'utf8'))),
  );
}

export function canShare(text: string): boolean {
  return !needsOwnProcess.some((pattern) => pattern.test(text));
}
