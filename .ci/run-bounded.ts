// Runs a program for a bounded time, with all that it starts.
import { spawn } from 'node:child_process';
import { stripVTControlCharacters } from 'node:util';

export interface Ended {
  readonly hasPassed: boolean;
  /** What it has printed, without colours, and that it was ended if it was. */
  readonly output: string;
}

/** Ends the program, and the processes that it has started, after so many seconds. */
export function runBounded(
  program: string,
  args: readonly string[],
  cwd: string,
  seconds: number,
): Promise<Ended> {
  const child = spawn(program, args, {
    cwd,
    detached: true,
    env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0', CI: '' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
  }
  let isLate = false;
  const end = (): void => {
    if (child.pid === undefined) return;
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
  };
  const timer = setTimeout(() => {
    isLate = true;
    end();
  }, seconds * 1000);
  process.once('exit', end);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      clearTimeout(timer);
      process.off('exit', end);
      const late = isLate ? `\nError: it had not ended after ${seconds} s` : '';
      resolve({ hasPassed: code === 0, output: stripVTControlCharacters(text) + late });
    });
  });
}
