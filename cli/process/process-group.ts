// Ends a child process together with the processes that it has started.
import { type ChildProcess, spawnSync } from 'node:child_process';

/**
 * The option `detached` of `spawn` and `fork`: a separate process group, which Ctrl+C in the terminal does not
 * reach.
 */
export const ownGroup: boolean = process.platform !== 'win32';

export function killGroup(child: ChildProcess): void {
  if (child.pid === undefined || child.exitCode !== null) return;
  try {
    if (ownGroup) process.kill(-child.pid, 'SIGKILL');
    else child.kill();
  } catch {
    // Already gone.
  }
}

/** How long `taskkill` may take, in milliseconds. */
const KILL_TIMEOUT = 5000;

/**
 * Asks a program to end. On Windows it ends at once, with the processes that it has started: a package manager is a
 * script that `cmd.exe` runs, and would go on without it.
 */
export function endProgram(child: ChildProcess, platform: NodeJS.Platform = process.platform): void {
  if (platform === 'win32' && child.pid !== undefined && child.exitCode === null) {
    // Waited for, also while this process exits.
    const { status } = spawnSync('taskkill', ['/T', '/F', '/PID', String(child.pid)], {
      stdio: 'ignore',
      timeout: KILL_TIMEOUT,
      windowsHide: true,
    });
    if (status === 0) return;
  }
  child.kill('SIGTERM');
}
