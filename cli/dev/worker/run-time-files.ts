// Notices that an app that runs as a bundle loads one of its own files by itself: its modules would exist twice.
import Module from 'node:module';
import { dirname, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { SyncHooks } from '../../process/sources/loaded-sources.js';
import { isAppCode, missingSource, namedSource, sourcePath } from '../../process/sources/own-files.js';
import { declareTypeScript } from '../../process/sources/settings.js';

type Found = (file: string) => void;
type Hooks = SyncHooks<{ readonly parentURL?: string }, { readonly url: string }>;
type Extension = (module: unknown, path: string) => void;

/** @param found gets the path, or the name if the file is named relatively to the bundle */
export function watchRunTimeFiles(root: string, bundle: string, found: Found): void {
  // An app that loads TypeScript is started again, in a process that takes it.
  declareTypeScript();
  const { registerHooks } = Module as unknown as { registerHooks?: (hooks: Pick<Hooks, 'resolve'>) => void };
  if (registerHooks) registerHooks({ resolve: noticing(root, pathToFileURL(dirname(bundle)).href, found) });
  else noticeOnOld(root, found);
}

function noticing(root: string, folder: string, found: Found): Hooks['resolve'] {
  const notice = (url: string | undefined): void => {
    const path = sourcePath(url);
    if (path !== undefined && isAppCode(path, root)) found(path);
  };
  return function resolveInBundle(name, context, next) {
    const { parentURL } = context;
    // Esbuild has put all other relative names into the bundle.
    if (/^\.{1,2}\//.test(name) && parentURL?.startsWith(`${folder}/`)) found(name);
    try {
      const resolved = next(name, context);
      notice(resolved.url);
      return resolved;
    } catch (error) {
      notice(namedSource(name, parentURL, false) ?? missingSource(error));
      throw error;
    }
  };
}

/**
 * Hooks for `import` would take an eighth of a second of each start here. So files for `require` are noticed, and for
 * `import` the errors that Node gives for them.
 */
function noticeOnOld(root: string, found: Found): void {
  const { _extensions: extensions } = Module as unknown as { _extensions: Record<string, Extension> };
  const plain = extensions['.js'] as Extension;
  for (const extension of ['.js', '.ts', '.mts', '.cts', '.tsx', '.jsx']) {
    extensions[extension] = function noticeRequired(module, path) {
      if (isAppCode(path, root)) found(path);
      plain(module, path);
    };
  }
  for (const stream of [process.stdout, process.stderr]) {
    const write = stream.write.bind(stream) as (...args: unknown[]) => boolean;
    stream.write = function writeUnderDev(...args: unknown[]): boolean {
      const file = fileIn(String(args[0]), root);
      if (file !== undefined) found(file);
      return write(...args);
    } as typeof stream.write;
  }
}

const UNKNOWN = /Unknown file extension "\.[cm]?[jt]sx?" for ([^\n]+?\.[cm]?[jt]sx?)(?:\s|'|$)/;
const MISSING = /Cannot find module '([^'\n]+)' imported from [^\n]*?[\\/]\.fw[\\/]dev-/;

/** What Node says of a source that it cannot import; the error itself may have been caught. */
function fileIn(text: string, root: string): string | undefined {
  const path = UNKNOWN.exec(text)?.[1] ?? MISSING.exec(text)?.[1];
  if (path === undefined) return undefined;
  const file = path.startsWith('file:') ? fileURLToPath(path) : path;
  return isAppCode(file, root) || file.includes(`${sep}.fw${sep}`) ? file : undefined;
}

/** The file of which such an error, or what has caused it, speaks. */
export function runTimeFileOf(error: unknown, root: string): string | undefined {
  for (let one = error; one instanceof Error; one = one.cause) {
    const file = fileIn(one.message, root);
    if (file !== undefined) return file;
  }
  return undefined;
}
