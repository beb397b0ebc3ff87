// The folder for a Unix socket: that for temporary files, unless its path is too long, or it cannot be written to.
import { accessSync, constants } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Bytes: 104 on macOS and 108 on Linux, with a zero at the end (sun_path of unix(4), unix(7)). Node.js cuts what is longer. */
const LONGEST = 103;

/** @param name of the socket, or the end of its path in the folder */
export function socketFolder(name: string, usual: string = tmpdir()): string {
  return Buffer.byteLength(join(usual, name)) <= LONGEST && isWritable(usual) ? usual : '/tmp';
}

/** TMPDIR may come from a session that is over, or of another user: Node.js says `EACCES` then, as of a low port. */
function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
