// Bundles a program with the conformance cases, which then run on the built package instead of the sources.
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { build, type Plugin } from 'esbuild';

/**
 * @param checkout the root of the repository.
 * @param inlined whether the package itself is bundled too, for runtimes that load one file.
 */
export async function bundleCases(
  checkout: string,
  entry: string,
  outfile: string,
  inlined: boolean,
): Promise<void> {
  // As a package, because Deno looks up what `imports` of package.json names for packages alone.
  if (!inlined) {
    symlinkSync(join(checkout, 'node_modules'), join(dirname(outfile), 'node_modules'));
    writeFileSync(join(dirname(outfile), 'package.json'), '{ "type": "module" }');
  }
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'es2022',
    plugins: [builtPackage(checkout, inlined)],
    ...(inlined ? { conditions: ['workerd', 'worker'] } : {}),
    external: ['ws', 'redis', 'esbuild', 'typescript', 'openid-client', 'kysely', 'drizzle-orm'],
    banner: {
      js: "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire('file:///');",
    },
    // The package is marked as free of side effects, and its chunks import each other for their order.
    logLevel: 'error',
  });
}

/** Everything that the package exports, under one name. */
const EVERYTHING = 'everything of fw';

function builtPackage(checkout: string, inlined: boolean): Plugin {
  const { exports, version } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')) as {
    exports: Record<string, string | { default: string }>;
    version: string;
  };
  const entries = Object.entries(exports).flatMap(([name, entry]) =>
    typeof entry === 'string' ? [] : [[name.replace('.', 'fw'), join(checkout, entry.default)] as const],
  );
  const needed = ['fw', 'fw/rpc', 'fw/middleware', 'fw/compression', 'fw/jwt', 'fw/api-key', 'fw/tracing'];
  return {
    name: 'the built package',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^fw(\/|$)/ }, ({ path }) =>
        inlined ? { path: new Map(entries).get(path) as string } : { path, external: true },
      );
      onResolve({ filter: /^\.\.?\// }, ({ path, resolveDir }) => {
        const file = relative(join(checkout, 'framework'), join(resolveDir, path));
        if (file.startsWith('..') || file.startsWith('conformance')) return undefined;
        const built = join(checkout, 'dist/framework', file);
        const [name] = entries.find(([, entry]) => entry === built) ?? [];
        if (name === undefined) return { path: EVERYTHING, namespace: 'fw' };
        return inlined ? { path: built } : { path: name, external: true };
      });
      onResolve({ filter: /^vitest$/ }, () => ({ path: 'vitest', namespace: 'fw' }));
      onLoad({ filter: /^vitest$/, namespace: 'fw' }, () => ({
        // What the cases do with it happens in the process of the tests.
        contents: 'export function expect() {} export function afterAll() {}',
      }));
      onLoad({ filter: /./, namespace: 'fw' }, () => ({
        contents: [
          ...needed.map((name) => `export * from '${name}';`),
          `export const VERSION = ${JSON.stringify(version)};`,
        ].join('\n'),
        resolveDir: checkout,
      }));
    },
  };
}
