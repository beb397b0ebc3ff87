// Node: the file of a Unix socket that a process has left behind, because it was killed.
import { lstatSync, unlinkSync } from 'node:fs';
import { connect } from 'node:net';

/** Removes the file if it is a socket on which nobody listens; false if it is something else, or in use. */
export async function removeStaleSocket(path: string): Promise<boolean> {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSocket() !== true) return false;
  if (!(await isRefused(path))) return false;
  unlinkSync(path);
  return true;
}

function isRefused(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve(false);
    });
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'ECONNREFUSED'));
  });
}
