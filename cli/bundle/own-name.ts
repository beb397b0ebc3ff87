// Packages that import themselves by their own name: Node finds no such name from the folder of the bundle.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Plugin } from 'esbuild';
import { exports as resolveExports } from 'resolve.exports';
import { readJson } from '../files/read-text.js';

/**
 * Undefined if the package at `root` cannot import itself, because it has no name or no `exports`, so that its builds
 * do not pay for the callback.
 * @param conditions of its `exports`, besides those of Node
 */
export function ownName(root: string, conditions: readonly string[]): Plugin | undefined {
  const scope = scopeOf(root);
  const manifest = scope === undefined ? undefined : manifestOf(scope);
  if (scope === undefined || manifest === undefined) return undefined;
  const { name } = manifest;
  return {
    name: 'fw-own-name',
    setup(build) {
      build.onResolve({ filter: new RegExp(`^${escapeText(name)}(?:/|$)`) }, ({ path, kind, importer }) => {
        if (kind === 'entry-point' || scopeOf(dirname(importer)) !== scope) return undefined;
        const isRequire = kind === 'require-call' || kind === 'require-resolve';
        const target = targetOf(manifest, path, { conditions, require: isRequire });
        if (typeof target !== 'string') return { errors: [target] };
        return build.resolve(target, { kind, importer, resolveDir: scope });
      });
    },
  };
}

interface Manifest {
  readonly name: string;
  readonly exports: unknown;
}

/** The file as `exports` names it, or why there is none. */
function targetOf(
  manifest: Manifest,
  path: string,
  options: { conditions: readonly string[]; require: boolean },
): string | { text: string } {
  try {
    const [target] = resolveExports(manifest, path, options) ?? [];
    if (target !== undefined) return target;
  } catch {
    // The library throws if nothing matches.
  }
  return { text: `Could not resolve "${path}": the "exports" of the app's package.json do not have it` };
}

/** The nearest folder with a package.json, from `folder` up. */
function scopeOf(folder: string): string | undefined {
  if (existsSync(join(folder, 'package.json'))) return folder;
  return folder === dirname(folder) ? undefined : scopeOf(dirname(folder));
}

function manifestOf(scope: string): Manifest | undefined {
  try {
    const manifest = readJson(join(scope, 'package.json')) as Partial<Manifest> | null;
    const isNamed = typeof manifest?.name === 'string' && manifest.name !== '';
    return isNamed && manifest.exports != null ? (manifest as Manifest) : undefined;
  } catch {
    // What needs the file reports what is wrong with it.
    return undefined;
  }
}

function escapeText(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}
