// Ends a child process together with the processes that it has started.
import type { ChildProcess } from 'node:child_process';

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
