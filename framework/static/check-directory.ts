// Static files: what must hold of the disk when a directory is registered.
import { fileName } from './file-name.js';

/**
 * The absolute path of a directory. Asked of the process, because registration is synchronous and `fw` can be
 * imported where there is no `node:fs`, as long as no files are served there.
 *
 * @throws Error when it is missing, or the runtime has no files.
 */
export function checkDirectory(call: string, dir: string): string {
  if (typeof dir !== 'string' || dir === '') {
    throw new Error(`${call}: the directory is ${JSON.stringify(dir)}; give a path`);
  }
  const { statSync } = builtin(call, 'node:fs');
  const root = builtin(call, 'node:path').resolve(dir);
  const stat = attempt(call, () => statSync(root, { throwIfNoEntry: false }));
  if (stat === undefined) {
    throw new Error(`${call}: there is no directory ${root}; create it, or give the path of another`);
  }
  if (!stat.isDirectory()) throw new Error(`${call}: ${root} is no directory; give the path of one`);
  return root;
}

/** @throws Error when the file cannot be served from the directory. */
export function checkFallback(call: string, root: string, fallback: string): void {
  if (typeof fallback !== 'string' || fileName(fallback.replaceAll('%', '%25')) === undefined) {
    throw new Error(
      `${call}: the fallback is no path inside the directory; write it without a dot or a slash at its start, such as 'index.html'`,
    );
  }
  const { statSync, realpathSync } = builtin(call, 'node:fs');
  const { join, relative, sep } = builtin(call, 'node:path');
  const path = join(root, fallback);
  const stat = attempt(call, () => statSync(path, { throwIfNoEntry: false }));
  if (stat === undefined) {
    throw new Error(`${call}: there is no file ${path}; build the page first, or name another file`);
  }
  if (!stat.isFile()) throw new Error(`${call}: ${path} is no file; name one`);
  const inside = relative(realpathSync.native(root), realpathSync.native(path));
  if (inside.split(sep)[0] === '..') {
    throw new Error(`${call}: ${path} is a link out of the directory; put the file itself there`);
  }
}

interface Builtins {
  'node:fs': typeof import('node:fs');
  'node:path': typeof import('node:path');
}

function builtin<Name extends keyof Builtins>(call: string, name: Name): Builtins[Name] {
  const found = globalThis.process?.getBuiltinModule?.(name);
  if (found === undefined) {
    throw new Error(`${call}: this runtime has no ${name}; serve files by its own means here`);
  }
  return found as Builtins[Name];
}

/** Undefined also where a file stands in the way of the path, which Nodes before 26 throw. */
function attempt<T>(call: string, look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOTDIR') return undefined;
    throw new Error(`${call}: ${message}; give a path that can be read`, { cause: error });
  }
}
