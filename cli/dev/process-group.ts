// Ends a child together with what it has started itself.
import type { ChildProcess } from 'node:child_process';

/** For `spawn` and `fork`: a group of its own, which a Ctrl+C at the terminal does not reach. */
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
