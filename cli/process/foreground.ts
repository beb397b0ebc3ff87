// Runs a program in place of this process: it has the terminal, and gets the signals.
import type { ChildProcess } from 'node:child_process';
import { ownGroup } from './process-group.js';
import { type ProgramEnd, runProgram } from './run-program.js';

/** Never rejects; ends when the program has ended, whatever signals this process gets until then. */
export async function runInForeground(
  program: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env?: NodeJS.ProcessEnv },
): Promise<ProgramEnd> {
  // A terminal sends Ctrl+C to all of its foreground group, in which the program has to be to read from it. Elsewhere
  // nobody does, and package managers do not pass signals on to the scripts that they run.
  const isAlone = !hasTerminal();
  const detached = isAlone && ownGroup;
  let child: ChildProcess | undefined;
  const pass = (signal: NodeJS.Signals): void => {
    // On Windows, all programs of a console get them, and passing one on would end the program at once.
    if (!ownGroup) return;
    if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    if (detached) process.kill(-child.pid, signal);
    else child.kill(signal);
  };
  const interrupt = (): void => {
    if (isAlone) pass('SIGINT');
  };
  const end = (): void => pass('SIGTERM');
  process.on('SIGINT', interrupt).on('SIGTERM', end).on('SIGHUP', end);
  try {
    return await runProgram(program, args, {
      ...options,
      stdio: 'inherit',
      detached,
      onStart: (started) => {
        child = started;
      },
    });
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', end).off('SIGHUP', end);
  }
}

function hasTerminal(): boolean {
  return [process.stdin, process.stdout, process.stderr].some(({ isTTY }) => isTTY === true);
}
