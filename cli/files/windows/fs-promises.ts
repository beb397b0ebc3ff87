// What stands for `node:fs/promises` on a trial Windows.
import fs from 'node:fs/promises';
import { back, beBusy, onDrive, out } from './drive.js';

export const lstat: typeof fs.lstat = onDrive(fs.lstat);
export const mkdir: typeof fs.mkdir = onDrive(fs.mkdir);
export const open: typeof fs.open = onDrive(fs.open);
export const readdir: typeof fs.readdir = onDrive(fs.readdir);
export const readFile: typeof fs.readFile = onDrive(fs.readFile);
export const rm: typeof fs.rm = onDrive(fs.rm);
export const stat: typeof fs.stat = onDrive(fs.stat);
export const writeFile: typeof fs.writeFile = onDrive(fs.writeFile);
export default fs;

export async function readlink(name: string): Promise<string> {
  return back(await fs.readlink(out(name)));
}

export async function realpath(name: string): Promise<string> {
  return back(await fs.realpath(out(name)));
}

export async function rename(from: string, to: string): Promise<void> {
  beBusy();
  await fs.rename(out(from), out(to));
}
