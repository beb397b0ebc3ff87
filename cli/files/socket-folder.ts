// The folder for a Unix socket: that for temporary files, unless its path is too long.
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Bytes: 104 on macOS and 108 on Linux, with a zero at the end (sun_path of unix(4), unix(7)). Node.js cuts what is longer. */
const LONGEST = 103;

/** @param name of the socket, or the end of its path in the folder */
export function socketFolder(name: string, usual: string = tmpdir()): string {
  return Buffer.byteLength(join(usual, name)) <= LONGEST ? usual : '/tmp';
}
