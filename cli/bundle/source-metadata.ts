// Makes `import.meta`, `__dirname`, `__filename` and `require.main` refer to the source file after bundling.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Loader, Plugin } from 'esbuild';
import { type AbsolutePath, pathIn, spelledPath } from '../../framework/files/absolute-path.js';

const CODE = /\.[cm]?[jt]sx?$/;
const MAIN_CHECK = /\brequire\.main\s*([!=]==?)\s*module\b|\bmodule\s*([!=]==?)\s*require\.main\b/g;
/** Only a text with one of them can be matched; looking for them takes a fraction of the time. */
const words = ['import.meta', '__dirname', '__filename', 'require.main'];
const asked = new RegExp(`\\bimport\\.meta\\b|\\b__(dirname|filename)\\b|${MAIN_CHECK.source}`);

export class SourceMeta {
  readonly #entry: () => AbsolutePath;
  readonly #seen = new Set<AbsolutePath>();
  readonly #needed = new Set<AbsolutePath>();

  /** @param entry the file for which `require.main === module` is true */
  constructor(root: AbsolutePath, entry: () => AbsolutePath) {
    this.#entry = entry;
    this.scan(codeFiles(pathIn(root, 'src')));
  }

  /** Reads these files again; true when the set of files to rewrite changed. */
  scan(files: AbsolutePath[]): boolean {
    let changed = false;
    for (const file of files) {
      if (!CODE.test(file)) continue;
      this.#seen.add(file);
      const text = read(file);
      const needs = words.some((word) => text.includes(word)) && asked.test(text);
      if (needs === this.#needed.has(file)) continue;
      changed = true;
      if (needs) this.#needed.add(file);
      else this.#needed.delete(file);
    }
    return changed;
  }

  /** The same for the files that were not read before. */
  scanNew(files: AbsolutePath[]): boolean {
    return this.scan(files.filter((file) => !this.#seen.has(file)));
  }

  /** Rewrites exactly the files that need it: a callback for every file would double a build's time. */
  plugins(): Plugin[] {
    if (this.#needed.size === 0) return [];
    const filter = new RegExp(`^(?:${[...this.#needed].map(escapeText).join('|')})$`);
    const entry = this.#entry;
    return [
      {
        name: 'fw-source-meta',
        setup(build) {
          build.onLoad({ filter }, ({ path }) => ({
            contents: rewrite(read(path), path, spelledPath(path) === entry()),
            loader: loaderOf(path),
            resolveDir: dirname(path),
          }));
        },
      },
    ];
  }
}

/** The source with the same lines, in which calls of a function at its end replace `import.meta` and the like. */
export function rewrite(source: string, path: string, isEntry: boolean): string {
  const text = settleMainChecks(source, isEntry)
    // A call instead of the value itself, which would break a string or a comment.
    .replace(/\bimport\.meta\b/g, 'import_meta()')
    .replace(/\b__(dirname|filename)\b/g, (all, name) =>
      new RegExp(`\\b(?:const|let|var)\\s+${all}\\b`).test(source) ? all : `import_meta().${name}`,
    );
  return `${text}\n${declaration(path, isModule(source), isEntry)}`;
}

/** Replaces `require.main === module` and the like by their value: the file that Node has started is one of fw. */
export function settleMainChecks(source: string, isEntry: boolean): string {
  return source.replace(MAIN_CHECK, (_, one: string | undefined, other: string) =>
    String(isEntry === (one ?? other).startsWith('=')),
  );
}

/** A CommonJS file that mentions `import.meta`, in a comment for example, is not a module. */
function isModule(source: string): boolean {
  return /\bimport\.meta\b/.test(source) && !/\bmodule\.exports\b|\bexports\.\w/.test(source);
}

/**
 * A function declaration is hoisted: `import.meta` exists before the first line runs. CommonJS has no
 * `import.meta`.
 */
function declaration(path: string, hasMeta: boolean, isEntry: boolean): string {
  const own = { url: pathToFileURL(path).href, dirname: dirname(path), filename: path };
  // `import.meta.main` exists since Node.js 24.2.
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

function codeFiles(folder: AbsolutePath): AbsolutePath[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((item) => item.isFile() && CODE.test(item.name) && !item.parentPath.includes('node_modules'))
      .map((item) => spelledPath(join(item.parentPath, item.name)));
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
