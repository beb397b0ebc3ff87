// The token of the page about the app: kept in the project, so that the cookie of a browser outlives `fw dev`.
import { randomBytes } from 'node:crypto';
import { privateFile, readPrivate, writePrivate } from './private-file.js';

/** 32 random bytes in base64url. */
const FORM = /^[A-Za-z0-9_-]{43}$/;
const NAME = 'workbench-token';

/**
 * The token of the project, made at the first call. Only its owner can read the file; one that others could have read
 * or written is replaced. Without a place for the file, the token lasts as long as `fw dev`.
 */
export function tokenOf(root: string): string {
  const kept = readPrivate(privateFile(root, NAME), 100);
  if (kept !== undefined && FORM.test(kept)) return kept;
  const token = randomBytes(32).toString('base64url');
  try {
    writePrivate(root, NAME, token);
  } catch {
    // The folder cannot be written to.
  }
  return token;
}
