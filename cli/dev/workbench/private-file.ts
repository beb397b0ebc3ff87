// Files of the page about the app that nobody else may read: in `node_modules/.fw`, for their owner alone.
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { retryBusySync } from '../../../framework/files/retry-busy.js';

/** Below the root of the project. */
export function privateFile(root: string, name: string): string {
  return join(root, 'node_modules', '.fw', name);
}

/** Undefined for a file that others could have read or written, a link, a longer one, and none. */
export function readPrivate(file: string, most: number): string | undefined {
  let descriptor: number | undefined;
  try {
    // Windows has no such flags; a link there needs the rights of an administrator.
    const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
    descriptor = openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    const { uid, mode, nlink, size } = fstatSync(descriptor);
    const isFile = fstatSync(descriptor).isFile() && nlink === 1 && size <= most;
    const isPrivate = process.getuid === undefined || (uid === process.getuid() && (mode & 0o077) === 0);
    return isFile && isPrivate ? readFileSync(descriptor, 'utf8') : undefined;
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/**
 * A new file takes the place of whatever has the name: a link is replaced, not followed.
 * @throws the error of the file system, and ENOTDIR if the folder is a link
 */
export function writePrivate(root: string, name: string, text: string): void {
  const folder = join(root, 'node_modules', '.fw');
  mkdirSync(folder, { recursive: true });
  if (!lstatSync(folder).isDirectory())
    throw Object.assign(new Error(`ENOTDIR: ${folder} is a link`), { code: 'ENOTDIR' });
  const file = join(folder, name);
  const pending = `${file}-${randomBytes(8).toString('hex')}`;
  try {
    writeFileSync(pending, text, { flag: 'wx', mode: 0o600 });
    retryBusySync(() => renameSync(pending, file));
  } finally {
    retryBusySync(() => rmSync(pending, { force: true }));
  }
}
