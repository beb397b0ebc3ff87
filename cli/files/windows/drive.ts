// Drive C: of a trial Windows: a folder of this system, given by FW_TRIAL_DRIVE. Case does not matter, and there are no
// other drives.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const folder: string = process.env.FW_TRIAL_DRIVE ?? '';

/** Where the file of a name is on this system. */
export function out<Name>(name: Name): Name | string {
  if (typeof name !== 'string' || !/^[a-z]:/i.test(name)) return name;
  if (!/^c:/i.test(name)) return join(folder, 'no drive', name);
  const parts = name.slice(2).split(/[\\/]/).filter(Boolean);
  return parts.reduce((inside, part) => join(inside, nameIn(inside, part)), folder);
}

/** The name of a path of this system. */
export function back(path: string): string {
  return path.startsWith(folder) ? `C:${path.slice(folder.length).replaceAll('/', '\\') || '\\'}` : path;
}

/** The name on disk that differs in case alone. */
function nameIn(inside: string, part: string): string {
  if (part === '..' || existsSync(join(inside, part)) || !existsSync(inside)) return part;
  return readdirSync(inside).find((one) => one.toLowerCase() === part.toLowerCase()) ?? part;
}

/** Renaming fails twice, then succeeds once: another program has a file open. Always, if FW_TRIAL_BUSY is `always`. */
export function beBusy(): void {
  tries += 1;
  const { FW_TRIAL_BUSY: isBusy } = process.env;
  if (isBusy !== undefined && (isBusy === 'always' || tries % 3 !== 0))
    throw Object.assign(new Error('EPERM: operation not permitted, rename'), { code: 'EPERM' });
}

let tries = 0;

/** A function of the file system whose first argument is a name. */
export function onDrive<Work>(work: Work): Work {
  const real = work as (name: unknown, ...rest: unknown[]) => unknown;
  return ((name: unknown, ...rest: unknown[]) => real(out(name), ...rest)) as Work;
}
