// What threads and child processes of the app need to run from its sources.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** True if the app passes a loader, and so decides itself how its file is run. */
export function decidesItself(execArgv: readonly string[] | undefined): boolean {
  return (
    execArgv?.some((arg) => /^(--import|--loader|--experimental-loader|--require|-r)\b/.test(arg)) ?? false
  );
}

/** The flags for a program that starts with `execArgv`, or with those of this process; none twice. */
export function withFlags(execArgv: readonly string[] | undefined, flags: readonly string[]): string[] {
  const own = execArgv ?? process.execArgv;
  return [...own, ...flags.filter((flag) => !own.includes(flag))];
}

/**
 * The TypeScript file that `file` names, also by the `.js` name that it will have after a build; undefined
 * otherwise.
 */
export function sourceOf(file: string | URL): string | undefined {
  const url = file instanceof URL ? file : undefined;
  if (url && url.protocol !== 'file:') return undefined;
  const path = url ? fileURLToPath(url) : String(file);
  if (/\.[cm]?tsx?$/.test(path)) return path;
  const source = path.replace(/\.([cm]?)js$/, '.$1ts');
  return source !== path && !existsSync(path) && existsSync(source) ? source : undefined;
}
