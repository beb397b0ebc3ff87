// Keeps `import.meta`, `__dirname`, `require.main` and their kin true to the source file after bundling.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Loader, Plugin } from 'esbuild';

const code = /\.[cm]?[jt]sx?$/;
const mainCheck = /\brequire\.main\s*([!=]==?)\s*module\b|\bmodule\s*([!=]==?)\s*require\.main\b/g;
const asked = new RegExp(`\\bimport\\.meta\\b|\\b__(dirname|filename)\\b|${mainCheck.source}`);

export interface SourceMeta {
  /** Reads these files again; true when the set of files to rewrite changed. */
  scan(files: string[]): boolean;
  /** The same for those not read before. */
  scanNew(files: string[]): boolean;
  /** Rewrites exactly the files that need it: a callback for every file would double a build's time. */
  plugins(): Plugin[];
}

/** @param entry the file for which `require.main === module` holds. */
export function createSourceMeta(root: string, entry: () => string): SourceMeta {
  const seen = new Set<string>();
  const needed = new Set<string>();
  scan(codeFiles(join(root, 'src')));

  function scan(files: string[]): boolean {
    let changed = false;
    for (const file of files) {
      if (!code.test(file)) continue;
      seen.add(file);
      const needs = asked.test(read(file));
      if (needs === needed.has(file)) continue;
      changed = true;
      if (needs) needed.add(file);
      else needed.delete(file);
    }
    return changed;
  }

  return {
    scan,
    scanNew: (files) => scan(files.filter((file) => !seen.has(file))),
    plugins() {
      if (needed.size === 0) return [];
      const filter = new RegExp(`^(?:${[...needed].map(escapeText).join('|')})$`);
      return [
        {
          name: 'fw-source-meta',
          setup(build) {
            build.onLoad({ filter }, ({ path }) => ({
              contents: rewrite(read(path), path, path === entry()),
              loader: loaderOf(path),
              resolveDir: dirname(path),
            }));
          },
        },
      ];
    },
  };
}

/** Line for line the same text, with the file's own values in place; what they need follows at the end. */
export function rewrite(source: string, path: string, isEntry: boolean): string {
  const text = source
    .replace(mainCheck, (_, one: string | undefined, other: string) =>
      String(isEntry === (one ?? other).startsWith('=')),
    )
    // Not the values themselves: within a text or a comment they would break it.
    .replace(/\bimport\.meta\b/g, 'import_meta()')
    .replace(/\b__(dirname|filename)\b/g, (all, name) =>
      new RegExp(`\\b(?:const|let|var)\\s+${all}\\b`).test(source) ? all : `import_meta().${name}`,
    );
  return `${text}\n${declaration(path, isModule(source), isEntry)}`;
}

/** That it only speaks of `import.meta` does not make a CommonJS file a module. */
function isModule(source: string): boolean {
  return /\bimport\.meta\b/.test(source) && !/\bmodule\.exports\b|\bexports\.\w/.test(source);
}

/** Hoisted, as `import.meta` is there before the first line runs. CommonJS has no `import.meta` to begin with. */
function declaration(path: string, hasMeta: boolean, isEntry: boolean): string {
  const own = { url: pathToFileURL(path).href, dirname: dirname(path), filename: path };
  // `main` is there since Node.js 24.2.
  const main = `...('main' in import.meta && { main: ${isEntry} })`;
  const begin = hasMeta ? `...import.meta, resolve: import_meta_resolve, ${main}, ` : '';
  const resolve = hasMeta
    ? 'function import_meta_resolve(name) { return /^(?:\\.{0,2}\\/|\\.{1,2}$)/.test(name) ? new URL(name, import_meta().url).href : import.meta.resolve(name); }\n'
    : '';
  const rest = JSON.stringify(own).slice(1);
  return `function import_meta() { return import_meta.own ??= { ${begin}${rest}; }\n${resolve}`;
}

function loaderOf(path: string): Loader {
  const extension = extname(path);
  if (extension === '.tsx') return 'tsx';
  if (extension === '.jsx') return 'jsx';
  return extension.endsWith('ts') ? 'ts' : 'js';
}

function codeFiles(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((item) => item.isFile() && code.test(item.name) && !item.parentPath.includes('node_modules'))
      .map((item) => join(item.parentPath, item.name));
  } catch {
    return [];
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function escapeText(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}
