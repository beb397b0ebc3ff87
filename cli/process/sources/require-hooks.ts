// Lets `require` load sources of the app, and `import` those in CommonJS, which Node passes on without its hooks.
import Module from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { compileSource } from './compile.js';
import { namedSource, needsCompiler, sourcePath } from './own-files.js';
import type { SourceSettings } from './settings.js';

interface Loaded {
  _compile(code: string, path: string, format?: string): void;
}
type Extension = (module: Loaded, path: string) => void;
type Resolve = (name: string, parent: { filename?: string | null } | undefined, ...rest: unknown[]) => string;

const loader = Module as unknown as {
  _extensions: Record<string, Extension>;
  _resolveFilename: Resolve;
};

/** @param asCommonJs whether an ES module is compiled to CommonJS if Node, which calls no hooks for its imports, fails */
export function compileRequired(
  settings: SourceSettings,
  asCommonJs: boolean,
  onLoad: (path: string) => void,
): void {
  const plain = loader._extensions['.js'] as Extension;
  function loadSource(module: Loaded, path: string): void {
    const isSource = sourcePath(pathToFileURL(path).href) !== undefined;
    if (isSource) onLoad(path);
    if (isSource && needsCompiler(path)) {
      const { format, source } = compileSource(path, settings);
      try {
        module._compile(source, path, format);
      } catch (error) {
        if (!asCommonJs || !isUnlinked(error)) throw error;
        module._compile(compileSource(path, settings, true).source, path, 'commonjs');
      }
    } else plain(module, path);
  }
  // Node.js 24 takes `.js` for all CommonJS whose format it got from a hook.
  for (const extension of ['.js', '.ts', '.mts', '.cts', '.tsx', '.jsx'])
    loader._extensions[extension] = loadSource;
}

/** It has failed before any of it ran. */
function isUnlinked(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ERR_MODULE_NOT_FOUND' || code === 'ERR_UNKNOWN_FILE_EXTENSION';
}

/** For versions of Node.js whose hooks are for `import` alone. */
export function resolveRequired(): void {
  const resolve = loader._resolveFilename;
  loader._resolveFilename = function resolveSource(name, parent, ...rest) {
    const from = parent?.filename ? pathToFileURL(parent.filename).href : undefined;
    const found = from === undefined ? undefined : namedSource(name, from, true);
    return resolve.call(this, found === undefined ? name : fileURLToPath(found), parent, ...rest);
  };
}
