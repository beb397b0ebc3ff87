// Workspace packages that are linked as TypeScript sources: Node cannot load them, so they are bundled.
import { realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { OnResolveResult, Plugin } from 'esbuild';
import {
  type AbsolutePath,
  absolutePath,
  isInside,
  spelledPath,
} from '../../framework/files/absolute-path.js';
import { readJson } from '../files/read-text.js';

const inside = `${sep}node_modules${sep}`;

/**
 * Undefined if the project has no linked dependency, so that its builds do not pay for the callbacks.
 * @param hasConditions whether esbuild takes conditions of `exports` that Node may not know
 * @param onBuilt receives the folder of each package that is linked as JavaScript, which is not bundled
 */
export function linkedSources(
  root: AbsolutePath,
  hasConditions: boolean,
  onBuilt: (folder: AbsolutePath) => void,
): Plugin | undefined {
  if (!dependencies(root).some((name) => isLinked(root, name))) return undefined;
  return {
    name: 'fw-linked-sources',
    setup(build) {
      const resolved = Symbol('resolved');
      // Node might find another file by the name, without the conditions; `require` takes no URL.
      const isExact = (kind: string): boolean => hasConditions && !kind.startsWith('require');
      const known = new Map<string, OnResolveResult | undefined>();
      build.onResolve({ filter: /^[^./]/ }, async (args): Promise<OnResolveResult | undefined> => {
        if (args.pluginData === resolved || args.kind === 'entry-point' || isAbsolute(args.path))
          return undefined;
        if (args.path === 'fw' || args.path.startsWith('fw/')) return { path: args.path, external: true };
        const key = `${args.kind}\n${args.path}\n${args.resolveDir}`;
        if (!known.has(key)) {
          const { kind, resolveDir, importer } = args;
          const found = await build.resolve(args.path, { kind, resolveDir, importer, pluginData: resolved });
          const isForeign = !isInside(root, spelledPath(importer));
          known.set(
            key,
            found.errors.length > 0
              ? undefined
              : place(args.path, found.path, found.external, isForeign, isExact(kind)),
          );
          if (known.get(key)?.external && isAbsolute(found.path) && !found.path.includes(inside))
            onBuilt(absolutePath(dirname(found.path)));
        }
        return known.get(key) ?? { path: args.path, external: true };
      });
    },
  };
}

function place(
  name: string,
  path: string,
  external: boolean,
  isForeign: boolean,
  isExact: boolean,
): OnResolveResult {
  if (external) return { path, external };
  const isPackage = path.includes(inside);
  if (!isPackage && (!isForeign || /\.(?:[cm]?tsx?|jsx|json)$/.test(path)))
    return sourceOf(name, path, isExact);
  // A dependency of the linked package may not be resolvable from the app, where the bundle is.
  return { path: isForeign ? pathToFileURL(path).href : name, external: true };
}

/** A package that is linked as JavaScript has been built already: Node loads it from its own directory. */
function sourceOf(name: string, path: string, isExact: boolean): OnResolveResult {
  const isLocalName = name.startsWith('#') || name.startsWith('@/') || name.startsWith('~');
  if (!/\.[cm]?js$/.test(path) || isLocalName) return { path };
  return { path: isExact ? pathToFileURL(path).href : name, external: true };
}

function dependencies(root: string): string[] {
  try {
    const manifest = readJson(join(root, 'package.json')) as Record<string, object | undefined>;
    return ['dependencies', 'devDependencies', 'optionalDependencies'].flatMap((field) =>
      Object.keys(manifest[field] ?? {}),
    );
  } catch {
    return [];
  }
}

/** Looks in the app's node_modules and, for workspaces, in those of the folders above. */
function isLinked(root: string, name: string): boolean {
  if (name === 'fw') return false;
  for (let folder = root; ; folder = dirname(folder)) {
    try {
      return !realpathSync(join(folder, 'node_modules', name)).includes(inside);
    } catch {
      if (folder === dirname(folder)) return false;
    }
  }
}
