// Which `fw dev` of a project runs: its address, in the folder that it has while it runs.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRunning, makeOutDir } from '../bundle/bundle-folder.js';

const FILE = 'address';
/** Nothing that another program could take for an option or a command. */
const ADDRESS = /^https?:\/\/[\w.:[\]-]{1,255}$/;

/** The folder of this `fw dev`, with its address; it is removed in the end. */
export function makeOutDirOf(root: string, url: string): string {
  const folder = makeOutDir(root);
  writeFileSync(join(folder, FILE), url);
  return folder;
}

/** The address of a `fw dev` of the project, the newest first. */
export function runningAddresses(root: string): string[] {
  const base = join(root, 'node_modules', '.fw');
  let names: string[];
  try {
    names = readdirSync(base);
  } catch {
    return [];
  }
  return names
    .map((name) => Number(/^dev-(\d{1,9})$/.exec(name)?.[1]))
    .filter((pid) => pid > 0 && isRunning(pid))
    .sort((a, b) => b - a)
    .flatMap((pid) => {
      const url = readAddress(join(base, `dev-${pid}`, FILE));
      return url === undefined ? [] : [url];
    });
}

function readAddress(file: string): string | undefined {
  try {
    const url = readFileSync(file, 'utf8');
    return ADDRESS.test(url) ? url : undefined;
  } catch {
    return undefined;
  }
}
