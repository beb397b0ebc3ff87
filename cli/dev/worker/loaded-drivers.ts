// Finds the database drivers that the app has loaded while it started, so that the next process has them already.
import Module from 'node:module';
import { sep } from 'node:path';
import { pathToFileURL } from 'node:url';

/** CommonJS packages that `fw` and toolkits import late, and that read no settings while they load. */
const drivers = ['libsql', 'pg', 'mysql2', 'redis'];

const { _cache: modules } = Module as unknown as { _cache: Record<string, { readonly parent?: unknown }> };

/** Call it before the app runs; the result gives the URLs of the drivers that the process has loaded by then. */
export function watchDrivers(): () => string[] {
  const environment = JSON.stringify(process.env);
  return function loadedDrivers() {
    // A program that sets variables before it imports a package may mean them for that package.
    if (JSON.stringify(process.env) !== environment) return [];
    return Object.keys(modules)
      .filter(isDriver)
      .map((file) => pathToFileURL(file).href);
  };
}

/** True for the file of a driver that was imported by a module, and was not required by another file. */
function isDriver(file: string): boolean {
  if (modules[file]?.parent) return false;
  const [name, ...path] = file.split(`${sep}node_modules${sep}`).at(-1)?.split(sep) ?? [];
  return path.length > 0 && drivers.includes(name ?? '');
}
