// Makes one bundle of the app's own sources with esbuild's incremental build; packages stay outside.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as Esbuild from 'esbuild';
import { CliError } from '../ui/errors.js';
import { linkedSources } from './bundler-linked.js';
import { createSourceMeta } from './bundler-meta.js';
import { separateMap, withSourceMap } from './source-map.js';

export interface Bundle {
  file: string;
  /** Absolute paths of all source files in it. */
  inputs: string[];
  /** Folders of linked packages that Node loads as they are. */
  linked: string[];
  /** Packages that it imports at its start, in order of evaluation. */
  packages: string[];
}

export type BuildResult =
  | { ok: true; bundle: Bundle; warnings: Esbuild.Message[] }
  | { ok: false; errors: Esbuild.Message[] };

export interface Bundler {
  /** `changed` are absolute paths of files written since the last build. */
  build(changed: string[]): Promise<BuildResult>;
  /** Forgets what was read from package.json and node_modules. */
  reset(): Promise<void>;
  /** Removes the files of a bundle that will not run again. */
  discard(bundle: Bundle): void;
  dispose(): Promise<void>;
}

export async function loadEsbuild(root: string): Promise<typeof Esbuild> {
  try {
    const path = createRequire(join(root, 'package.json')).resolve('esbuild');
    const loaded = await import(pathToFileURL(path).href);
    return loaded.default ?? loaded;
  } catch {
    try {
      return await import('esbuild');
    } catch (cause) {
      throw new CliError(`esbuild is not installed in ${root}`, {
        help: 'install it: npm install --save-dev esbuild',
        cause,
      });
    }
  }
}

/** @param entry asked again whenever the environment has changed. */
export function createBundler(
  esbuild: typeof Esbuild,
  root: string,
  entry: () => string,
  outDir: string,
): Bundler {
  const meta = createSourceMeta(root, entry);
  let context: Esbuild.BuildContext | undefined;
  const linked = new Set<string>();
  let count = 0;

  async function build(changed: string[]): Promise<BuildResult> {
    if (meta.scan(changed)) await reset();
    for (;;) {
      context ??= await createContext();
      const result = await rebuild(context);
      if (!result.metafile) return { ok: false, errors: result.errors };
      const inputs = Object.keys(result.metafile.inputs).map((input) => resolve(root, input));
      // A file that is new to the build and says `import.meta.url` needs the rewrite: once more.
      if (meta.scanNew(inputs)) await reset();
      else return { ok: true, bundle: write(result, inputs), warnings: result.warnings };
    }
  }

  async function rebuild(from: Esbuild.BuildContext): Promise<Esbuild.BuildResult> {
    try {
      return await from.rebuild();
    } catch (error) {
      if (error instanceof Error && 'errors' in error) {
        return { errors: error.errors as Esbuild.Message[], warnings: [] } as never;
      }
      throw error;
    }
  }

  function createContext(): Promise<Esbuild.BuildContext> {
    const from = entry();
    const sources = linkedSources(root, (folder) => linked.add(folder));
    return esbuild.context({
      absWorkingDir: root,
      entryPoints: [from],
      outfile: join(outDir, 'app.mjs'),
      bundle: true,
      metafile: true,
      packages: sources ? 'bundle' : 'external',
      platform: 'node',
      format: 'esm',
      // Plain node20 would drop the attributes of JSON imports.
      target: 'node20.19',
      keepNames: true,
      ...separateMap,
      logLevel: 'silent',
      banner: {
        js: `import { createRequire as __fwCreateRequire } from 'node:module'; const require = __fwCreateRequire(${JSON.stringify(pathToFileURL(from).href)});`,
      },
      plugins: [...(sources ? [sources] : []), ...meta.plugins()],
    });
  }

  function write(result: Esbuild.BuildResult, inputs: string[]): Bundle {
    const file = join(outDir, `app.${++count}.mjs`);
    writeFileSync(file, withSourceMap(result.outputFiles, root, file));
    return { file, inputs, linked: [...linked], packages: startPackages(result.metafile) };
  }

  async function reset(): Promise<void> {
    await context?.dispose();
    context = undefined;
    linked.clear();
  }

  function discard(bundle: Bundle): void {
    rmSync(bundle.file, { force: true });
  }

  return { build, reset, discard, dispose: reset };
}

function startPackages(metafile: Esbuild.Metafile | undefined): string[] {
  const code = Object.values(metafile?.outputs ?? {}).find((output) => output.entryPoint !== undefined);
  const imports = code?.imports.filter((item) => item.external && item.kind === 'import-statement') ?? [];
  return [...new Set(imports.map((item) => item.path))].filter((path) => !path.startsWith('node:'));
}

/** A warning where the app asks its compiler for what esbuild leaves out, or undefined. */
export function compilerGap(root: string): string | undefined {
  const file = join(root, 'tsconfig.json');
  try {
    if (!/"emitDecoratorMetadata"\s*:\s*true/.test(readFileSync(file, 'utf8'))) return undefined;
  } catch {
    return undefined;
  }
  return `${relative(root, file)} sets emitDecoratorMetadata, which fw dev does not emit: give types to decorators explicitly`;
}
