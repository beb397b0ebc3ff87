// Runs another program to its end, such as a package manager, which on Windows is a script that Node cannot start itself.
import type { ChildProcess, StdioOptions } from 'node:child_process';

export interface ProgramOptions {
  readonly cwd: string;
  readonly stdio: StdioOptions;
  /** Ends the program. */
  readonly signal?: AbortSignal;
  readonly onStart?: (child: ChildProcess) => void;
}

/** How a program ended: its exit code, the signal that ended it, or why it could not be started. */
export interface ProgramEnd {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly error?: NodeJS.ErrnoException;
}

/** When a program that does not end by itself is killed, in milliseconds. */
const patience = 5000;

/** Never rejects. A program that still runs when this process exits is ended. */
export async function runProgram(
  program: string,
  args: readonly string[],
  { cwd, stdio, signal, onStart }: ProgramOptions,
): Promise<ProgramEnd> {
  const { default: spawn } = await import('cross-spawn');
  const child = spawn(program, [...args], { cwd, stdio });
  onStart?.(child);
  const end = (): void => {
    child.kill('SIGTERM');
  };
  const endAtLast = (): void => {
    end();
    setTimeout(() => child.kill('SIGKILL'), patience).unref();
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
    process.off('exit', end);
    signal?.removeEventListener('abort', endAtLast);
  }
}
