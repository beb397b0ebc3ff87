// Checks that the modules which every process of the app preloads exist, before a process is started.
import { existsSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { addCommand } from '../manager/package-manager.js';
import { CliError } from '../terminal/errors.js';

/** On Windows, paths are written with \\ or with /. */
const PATH = /^(?:\.{1,2}[\\/]|[\\/]|[A-Za-z]:[\\/])/;

/**
 * The modules as `--import` takes them: paths as URLs, because Node.js takes the drive of a path for a scheme.
 *
 * @param from where the modules are named, for the error: `--preload names`
 * @throws CliError for a file or a package that does not exist
 */
export function checkPreload(modules: readonly string[] = [], root: string, from: string): readonly string[] {
  return modules.map((name) => {
    if (exists(name, root)) return PATH.test(name) ? pathToFileURL(resolve(root, name)).href : name;
    const isPath = PATH.test(name) || name.startsWith('file:');
    throw new CliError(`there is no ${isPath ? 'file' : 'package'} ${name}, which ${from}`, {
      help: isPath
        ? `give its path from ${root}`
        : `install it: ${addCommand(root, packageOf(name), { dev: true })}`,
    });
  });
}

function exists(name: string, root: string): boolean {
  // Only Node can resolve its own modules, data: URLs and subpath imports of package.json.
  if (/^(node:|data:|#)/.test(name)) return true;
  if (name.startsWith('file:')) return existsSync(fileURLToPath(name));
  if (PATH.test(name)) return existsSync(resolve(root, name));
  return hasPackage(packageOf(name), root);
}

/** Looks for the package as Node does. */
function hasPackage(name: string, from: string): boolean {
  for (let folder = from; ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'node_modules', name))) return true;
    if (folder === dirname(folder)) return isBuiltin(name);
  }
}

function packageOf(name: string): string {
  return name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/');
}
