// The folder of the pipe on which workers reach the supervisor: only this user can enter it.
import { lstatSync, mkdtempSync, readdirSync, rmdirSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { isRunning } from '../../bundle/bundle-folder.js';
import { socketFolder } from '../../files/socket-folder.js';

const pipeName = 'pipe.sock';

/** A new folder, named after this process, so that the next one removes it if this one is killed. */
export function makePipeFolder(): string {
  const prefix = `fw-page-${process.pid}-`;
  // With the characters that mkdtemp adds.
  const around = socketFolder(join(`${prefix}000000`, pipeName));
  removeLeftovers(around);
  return mkdtempSync(join(around, prefix));
}

export function pipeIn(folder: string): string {
  return join(folder, pipeName);
}

/** Nothing is removed but the pipe and the empty folder, whatever else somebody has put there. */
export function removePipeFolder(folder: string): void {
  try {
    unlinkSync(pipeIn(folder));
  } catch {
    // It was not bound, or Node has removed it when the server closed.
  }
  try {
    rmdirSync(folder);
  } catch {
    // It was removed before, or has something else in it.
  }
}

/** Removes the folders of processes that were killed. Every user can make folders of such names here. */
function removeLeftovers(around: string): void {
  for (const name of readdirSync(around)) {
    const pid = /^fw-page-(\d{1,9})-/.exec(name)?.[1];
    if (pid === undefined || isRunning(Number(pid))) continue;
    const folder = join(around, name);
    if (isOwnFolder(folder)) removePipeFolder(folder);
  }
}

/** Nobody else can change what is in such a folder, or put another in its place while it is removed. */
function isOwnFolder(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory() !== true) return false;
  return found.uid === process.getuid?.() && (found.mode & 0o777) === 0o700;
}
