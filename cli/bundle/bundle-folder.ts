// The folder for the bundles of one session; removes the folders that killed sessions left.
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { CliError } from '../terminal/errors.js';

/** Makes the folder of this process, inside the app so that the bundle's imports resolve as those of the app. */
export function makeOutDir(root: string): string {
  const base = join(root, 'node_modules', '.fw');
  try {
    for (const name of existsSync(base) ? readdirSync(base) : []) {
      const pid = /^dev-(\d+)$/.exec(name)?.[1];
      if (pid && !isRunning(Number(pid))) rmSync(join(base, name), { recursive: true, force: true });
    }
    const folder = join(base, `dev-${process.pid}`);
    mkdirSync(folder, { recursive: true });
    return folder;
  } catch (cause) {
    throw new CliError(`cannot write to ${base}: ${(cause as Error).message}`, {
      help: 'give this user the right to write there',
      cause,
    });
  }
}

/** Whether there is a process of that id. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
