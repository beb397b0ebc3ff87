// The folder for the bundles of one session; removes the folders that killed sessions left.
import { existsSync, mkdirSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { retryBusySync } from '../../framework/files/retry-busy.js';
import { CliError, systemFault } from '../terminal/errors.js';

/** With new tries for files that are in use, on Windows: those of a process that is ending, for example. */
const wholly = { recursive: true, force: true, maxRetries: 5, retryDelay: 50 } as const;

/** Makes the folder of this process, inside the app so that the bundle's imports resolve as those of the app. */
export function makeOutDir(root: string): string {
  const base = join(root, 'node_modules', '.fw');
  try {
    for (const name of existsSync(base) ? readdirSync(base) : []) {
      const pid = /^dev-(\d+)$/.exec(name)?.[1];
      if (pid && !isRunning(Number(pid))) rmSync(join(base, name), wholly);
    }
    const folder = join(base, `dev-${process.pid}`);
    mkdirSync(folder, { recursive: true });
    return folder;
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const isTaken = code === 'ENOTDIR' || code === 'EEXIST';
    const help = isTaken
      ? 'delete the file of that name'
      : (systemFault(cause)?.remedy ?? 'give this user the right to write there');
    throw new CliError(`cannot write to ${base}: ${(cause as Error).message}`, { help, cause });
  }
}

/** Removes the folder that `makeOutDir` has made, and those around it that were made for it, which are empty. */
export function removeOutDir(folder: string): void {
  rmSync(folder, wholly);
  for (const around of [dirname(folder), dirname(dirname(folder))]) {
    try {
      retryBusySync(() => rmdirSync(around));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOTEMPTY' || code === 'EEXIST' || code === 'ENOENT') return;
      throw error;
    }
  }
}

/** Whether there is a process of that id, of this user or of another, which may not be asked (EPERM). */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
