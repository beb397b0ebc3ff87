// What stands for `node:fs` on a trial Windows.
import fs from 'node:fs';
import { back, beBusy, onDrive, out } from './drive.js';

export const Stats: typeof fs.Stats = fs.Stats;
export const existsSync: typeof fs.existsSync = onDrive(fs.existsSync);
export const lstatSync: typeof fs.lstatSync = onDrive(fs.lstatSync);
export const mkdirSync: typeof fs.mkdirSync = onDrive(fs.mkdirSync);
export const readdirSync: typeof fs.readdirSync = onDrive(fs.readdirSync);
export const readFileSync: typeof fs.readFileSync = onDrive(fs.readFileSync);
export const mkdtempSync: typeof fs.mkdtempSync = ((prefix: string) =>
  back(fs.mkdtempSync(out(prefix)))) as typeof fs.mkdtempSync;
export const rmdirSync: typeof fs.rmdirSync = onDrive(fs.rmdirSync);
export const rmSync: typeof fs.rmSync = onDrive(fs.rmSync);
export const stat: typeof fs.stat = onDrive(fs.stat);
export const statSync: typeof fs.statSync = onDrive(fs.statSync);
export const unwatchFile: typeof fs.unwatchFile = onDrive(fs.unwatchFile);
export const watch: typeof fs.watch = onDrive(fs.watch);
export const watchFile: typeof fs.watchFile = onDrive(fs.watchFile);
export const writeFileSync: typeof fs.writeFileSync = onDrive(fs.writeFileSync);
export const realpathSync: ((name: string) => string) & { native(name: string): string } = Object.assign(
  realPath,
  { native: realPath },
);
const all = {
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  stat,
  statSync,
  unwatchFile,
  watch,
  watchFile,
};
const shim: typeof fs = Object.assign({}, fs, all);
export default shim;

export function renameSync(from: string, to: string): void {
  beBusy();
  fs.renameSync(out(from), out(to));
}

function realPath(name: string): string {
  return back(fs.realpathSync.native(out(name)));
}
