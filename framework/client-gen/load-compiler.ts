// Inference: opens a project with the TypeScript that the project itself has installed.
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Compiler } from './compiler.js';

/** The versions that the tests run with; package.json gives the same as the range of the peer dependency. */
const TESTED = '5.9, 6.0 and 7.0';

/**
 * @param directory the project's, with its `tsconfig.json`.
 * @throws Error where there is no `tsconfig.json`, or no TypeScript that is known to work.
 */
export async function loadCompiler(directory: string): Promise<Compiler<never>> {
  const config = join(directory, 'tsconfig.json');
  if (!existsSync(config)) {
    throw new Error(`${config} is missing; types are inferred with the project's own TypeScript settings`);
  }
  const root = packageRoot(directory);
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const load = (entry: string) => import(pathToFileURL(join(root, entry)).href);
  if (/^7\.0\./.test(version)) {
    const [{ NativeCompiler }, api, ast] = await Promise.all([
      import('./native-compiler.js'),
      load('dist/api/sync/api.js'),
      load('dist/ast/index.js'),
    ]);
    return new NativeCompiler({ api, ast }, config) as Compiler<unknown> as Compiler<never>;
  }
  if (/^(?:5\.9|6\.0)\./.test(version)) {
    const [{ ClassicCompiler }, ts] = await Promise.all([
      import('./classic-compiler.js'),
      load('lib/typescript.js'),
    ]);
    return new ClassicCompiler(ts.default ?? ts, config) as Compiler<unknown> as Compiler<never>;
  }
  throw new Error(
    `TypeScript ${version} was never tried for inferring types; install one of those that were, ${TESTED} (npm install -D typescript@7.0)`,
  );
}

function packageRoot(directory: string): string {
  try {
    return dirname(createRequire(join(directory, 'package.json')).resolve('typescript/package.json'));
  } catch (cause) {
    throw new Error(
      `TypeScript is not installed in ${directory}; types are inferred with it: npm install -D typescript`,
      { cause },
    );
  }
}
