// Keeps `import.meta.url`, `__dirname` and their kin true to the source file after bundling.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Loader, Plugin } from 'esbuild';

const code = /\.[cm]?[jt]sx?$/;
const asked = /\bimport\.meta\.(url|dirname|filename)\b|\b__(dirname|filename)\b/;

export interface SourceMeta {
  /** Reads these files again; true when the set of files to rewrite changed. */
  scan(files: string[]): boolean;
  /** The same for those not read before. */
  scanNew(files: string[]): boolean;
  /** Rewrites exactly the files that need it: a callback for every file would double a build's time. */
  plugins(): Plugin[];
}

export function createSourceMeta(root: string): SourceMeta {
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
              contents: rewrite(read(path), path),
              loader: loaderOf(path),
              resolveDir: dirname(path),
            }));
          },
        },
      ];
    },
  };
}

/** Line for line the same text, with the file's own values in place. */
export function rewrite(source: string, path: string): string {
  const values: Record<string, string> = {
    url: JSON.stringify(pathToFileURL(path).href),
    dirname: JSON.stringify(dirname(path)),
    filename: JSON.stringify(path),
  };
  return source
    .replace(/\bimport\.meta\.(url|dirname|filename)\b/g, (all, name) => values[name] ?? all)
    .replace(/\b__(dirname|filename)\b/g, (all, name) =>
      new RegExp(`\\b(?:const|let|var)\\s+${all}\\b`).test(source) ? all : (values[name] ?? all),
    );
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
