// The token of the page about the app: kept in the project, so that the cookie of a browser outlives `fw dev`.
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

/** 32 random bytes in base64url. */
const FORM = /^[A-Za-z0-9_-]{43}$/;

/**
 * The token of the project, made at the first call. Only its owner can read the file; one that others could have read
 * or written is replaced. Without a place for the file, the token lasts as long as `fw dev`.
 */
export function tokenOf(root: string): string {
  const folder = join(root, 'node_modules', '.fw');
  const file = join(folder, 'workbench-token');
  const kept = readToken(file);
  if (kept !== undefined) return kept;
  const token = randomBytes(32).toString('base64url');
  try {
    mkdirSync(folder, { recursive: true });
    if (lstatSync(folder).isDirectory()) writeToken(file, token);
  } catch {
    // The folder cannot be written to.
  }
  return token;
}

function readToken(file: string): string | undefined {
  let descriptor: number | undefined;
  try {
    // Windows has no such flags; a link there needs the rights of an administrator.
    const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
    descriptor = openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    const { uid, mode, nlink, size } = fstatSync(descriptor);
    const isFile = fstatSync(descriptor).isFile() && nlink === 1 && size < 100;
    const isPrivate = process.getuid === undefined || (uid === process.getuid() && (mode & 0o077) === 0);
    const text = isFile && isPrivate ? readFileSync(descriptor, 'utf8') : '';
    return FORM.test(text) ? text : undefined;
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** A new file takes the place of whatever has the name: a link is replaced, not followed. */
function writeToken(file: string, token: string): void {
  const pending = `${file}-${randomBytes(8).toString('hex')}`;
  try {
    writeFileSync(pending, token, { flag: 'wx', mode: 0o600 });
    retryBusySync(() => renameSync(pending, file));
  } finally {
    retryBusySync(() => rmSync(pending, { force: true }));
  }
}
