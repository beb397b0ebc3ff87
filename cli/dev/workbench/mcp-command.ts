// MCP of `fw dev`: runs a command of `fw` in the project.
import { spawn } from 'node:child_process';
import { stripVTControlCharacters } from 'node:util';
import { packagedFile } from '../../process/package-root.js';
import type { CommandResult } from './mcp-facts.js';
import { Refusal } from './refusals.js';

/** In milliseconds. */
const LONGEST_RUN = 120_000;
/** How much of its output is kept, in characters. */
const LONGEST_OUTPUT = 100_000;

/** Resolves when it has ended. @throws Refusal if it takes too long, or cannot be started */
export function runFw(root: string, args: readonly string[], signal: AbortSignal): Promise<CommandResult> {
  return new Promise((resolve, reject) => {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(LONGEST_RUN)]);
    const child = spawn(process.execPath, [...process.execArgv, packagedFile('main'), ...args], {
      cwd: root,
      env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined },
      stdio: ['ignore', 'pipe', 'pipe'],
      signal: limit,
    });
    let output = '';
    const take = (text: string): void => {
      if (output.length < LONGEST_OUTPUT) output += text;
    };
    child.stdout.setEncoding('utf8').on('data', take);
    child.stderr.setEncoding('utf8').on('data', take);
    child.once('error', (error) => {
      const why = limit.aborted
        ? `did not end within ${LONGEST_RUN / 1000} s`
        : `could not run: ${error.message}`;
      reject(new Refusal(504, 'NoAnswer', `fw ${args.join(' ')} ${why}`));
    });
    child.once('close', (exitCode) => resolve({ exitCode, output: stripVTControlCharacters(output) }));
  });
}
