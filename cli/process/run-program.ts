// Runs another program to its end, such as a package manager, which on Windows is a script that Node cannot start itself.
import type { ChildProcess, StdioOptions } from 'node:child_process';
import { endProgram } from './process-group.js';

export interface ProgramOptions {
  readonly cwd: string;
  readonly stdio: StdioOptions;
  /** That of this process by default. */
  readonly env?: NodeJS.ProcessEnv;
  /** Gives the program a process group of its own. */
  readonly detached?: boolean;
  /** Ends the program. */
  readonly signal?: AbortSignal;
  readonly onStart?: (child: ChildProcess) => void;
  /** When a program that the signal does not end is killed, in milliseconds; 5,000 by default. */
  readonly killAfterMs?: number;
}

/** How a program ended: its exit code, the signal that ended it, or why it could not be started. */
export interface ProgramEnd {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly error?: NodeJS.ErrnoException;
}

/** Never rejects. A program that still runs when this process exits is ended. */
export async function runProgram(
  program: string,
  args: readonly string[],
  { cwd, stdio, env = process.env, detached = false, signal, onStart, killAfterMs = 5000 }: ProgramOptions,
): Promise<ProgramEnd> {
  const { default: spawn } = await import('cross-spawn');
  const child = spawn(program, [...args], { cwd, stdio, env, detached });
  onStart?.(child);
  const end = (): void => endProgram(child);
  let timer: NodeJS.Timeout | undefined;
  const endAtLast = (): void => {
    end();
    timer = setTimeout(() => child.kill('SIGKILL'), killAfterMs);
  };
  process.once('exit', end);
  if (signal?.aborted === true) endAtLast();
  else signal?.addEventListener('abort', endAtLast, { once: true });
  try {
    return await new Promise((settle) => {
      child.once('error', (error) => settle({ exitCode: null, signal: null, error }));
      child.once('close', (exitCode, by) => settle({ exitCode, signal: by }));
    });
  } finally {
    clearTimeout(timer);
    process.off('exit', end);
    signal?.removeEventListener('abort', endAtLast);
  }
}
