// Static files: checks the directory and the fallback page at registration.

import { ConfigError } from '../config-error.js';
import { shown } from '../options/shown.js';
import { type RuntimeName, THIS_RUNTIME } from '../this-runtime.js';
import { fileName } from './file-name.js';

/**
 * The absolute path of a directory. `node:fs` comes from `process.getBuiltinModule`, because registration is
 * synchronous and `fw` can be imported on runtimes without `node:fs`, as long as no files are served there.
 *
 * @throws ConfigError if the directory is missing, or the runtime has no `node:fs`.
 */
export function checkDirectory(call: string, dir: string): string {
  if (typeof dir !== 'string' || dir === '') {
    throw new ConfigError(
      'FW_STATIC_PATH',
      `${call}: invalid directory ${shown(dir)}; give the path of a directory`,
    );
  }
  // They may have a node:fs, but not the code that serves files.
  if (THIS_RUNTIME === 'Workers') throw missingDirectory(call, dir);
  const { statSync } = builtin(call, 'node:fs');
  const root = builtin(call, 'node:path').resolve(dir);
  const stat = attempt(call, () => statSync(root, { throwIfNoEntry: false }));
  if (stat === undefined) throw missingDirectory(call, root);
  if (!stat.isDirectory())
    throw new ConfigError(
      'FW_STATIC_KIND',
      `${call}: ${root} is not a directory; give the path of a directory`,
    );
  return root;
}

/** @throws ConfigError if the file cannot be served from the directory. */
export function checkFallback(call: string, root: string, fallback: string): void {
  if (typeof fallback !== 'string' || fileName(fallback.replaceAll('%', '%25')) === undefined) {
    throw new ConfigError(
      'FW_STATIC_PATH',
      `${call}: invalid fallback ${shown(fallback)}; give a path inside the directory, without a leading dot or slash, such as 'index.html'`,
    );
  }
  const { statSync, realpathSync } = builtin(call, 'node:fs');
  const { join, relative, sep } = builtin(call, 'node:path');
  const path = join(root, fallback);
  const stat = attempt(call, () => statSync(path, { throwIfNoEntry: false }));
  if (stat === undefined) {
    throw new ConfigError(
      'FW_STATIC_MISSING',
      `${call}: there is no file ${path}; build the page first, or name another file`,
    );
  }
  if (!stat.isFile())
    throw new ConfigError('FW_STATIC_KIND', `${call}: ${path} is not a file; give the path of a file`);
  const inside = relative(realpathSync.native(root), realpathSync.native(path));
  if (inside.split(sep)[0] === '..') {
    throw new ConfigError(
      'FW_STATIC_LINK',
      `${call}: ${path} is a symbolic link to a file outside of the directory; replace it by the file`,
    );
  }
}

/** The `node:fs` of Workers has none of the app's files. */
export function missingDirectory(
  call: string,
  root: string,
  runtime: RuntimeName = THIS_RUNTIME,
): ConfigError {
  if (runtime === 'Workers') {
    return new ConfigError(
      'FW_RUNTIME_FILES',
      `${call}: Workers have no files; let the platform serve them, with "assets": { "directory": … } in wrangler.jsonc`,
    );
  }
  return new ConfigError(
    'FW_STATIC_MISSING',
    `${call}: there is no directory ${root}; create it, or give the path of another`,
  );
}

interface Builtins {
  'node:fs': typeof import('node:fs');
  'node:path': typeof import('node:path');
}

function builtin<Name extends keyof Builtins>(call: string, name: Name): Builtins[Name] {
  const found = globalThis.process?.getBuiltinModule?.(name);
  if (found === undefined) {
    throw new ConfigError(
      'FW_RUNTIME_FILES',
      `${call}: this runtime has no ${name}; serve files with an API of the runtime`,
    );
  }
  return found as Builtins[Name];
}

/** Also undefined if a parent of the path is a file, for which Node before 26 throws. */
function attempt<T>(call: string, look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOTDIR') return undefined;
    throw new ConfigError('FW_STATIC_UNREADABLE', `${call}: ${message}; give a path that can be read`, {
      cause: error,
    });
  }
}
