// Inference: opens a project with the TypeScript that the project has installed.

import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { absolutePath } from '../files/absolute-path.js';
import type { Compiler } from './compiler/compiler.js';

/** The versions that the tests run with; the peer dependency in package.json has the same range. */
const TESTED = '5.9, 6.0 and 7.0';

/** How a compiler is used. */
export interface CompilerOptions {
  /** Whether types are inferred once, and `update` is not called: TypeScript 7 takes less time then, and more memory. */
  readonly once?: boolean;
  /** The file of the settings; `tsconfig.json` in the directory by default. */
  readonly config?: string;
}

/**
 * Starts TypeScript 7, which reads the program in a process of its own while this one goes on; TypeScript 6 reads it
 * in this process, before the promise is fulfilled.
 *
 * @param directory the project's directory, with its `tsconfig.json`
 * @throws Error if there are no settings, or no supported version of TypeScript for this system
 */
export async function loadCompiler(
  directory: string,
  { once = false, config = 'tsconfig.json' }: CompilerOptions = {},
): Promise<Compiler<never>> {
  if (typeof directory !== 'string')
    throw new Error(`loadCompiler takes a directory, got ${typeof directory}`);
  const file = absolutePath(resolve(directory, config));
  if (!existsSync(file)) {
    throw new Error(`${file} is missing; types are inferred with the project's own TypeScript settings`);
  }
  const root = packageRoot(directory);
  const version = versionOf(root);
  const load = (entry: string) => import(pathToFileURL(join(root, entry)).href);
  if (isNative(version)) {
    const [{ Ts7Compiler }, api, ast] = await Promise.all([
      import('./typescript7/compiler.js'),
      load('dist/api/sync/api.js'),
      load('dist/ast/index.js'),
    ]);
    try {
      return new Ts7Compiler({ api, ast }, file, once) as Compiler<unknown> as Compiler<never>;
    } catch (error) {
      throw withoutExecutable(error, version) ?? error;
    }
  }
  if (/^(?:5\.9|6\.0)\./.test(version)) {
    const [{ Ts6Compiler }, ts] = await Promise.all([
      import('./typescript6/compiler.js'),
      load('lib/typescript.js'),
    ]);
    return new Ts6Compiler(ts.default ?? ts, file) as Compiler<unknown> as Compiler<never>;
  }
  throw new Error(
    `TypeScript ${version} is not supported for inferring types; install one of these: ${TESTED} (npm install -D typescript@7.0)`,
  );
}

/**
 * Whether the project has a compiler that reads the program in a process of its own, which may do so before its types
 * are needed. @throws Error if there is no TypeScript
 */
export function readsBeside(directory: string): boolean {
  return isNative(versionOf(packageRoot(directory)));
}

/** What TypeScript 7 throws if its package for this system is missing; undefined for other errors. */
function withoutExecutable(cause: unknown, version: string): Error | undefined {
  const name = cause instanceof Error && /^Unable to resolve (@typescript\/[\w-]+)/.exec(cause.message)?.[1];
  if (!name) return undefined;
  return new Error(
    `TypeScript ${version} is installed without ${name}, its compiler for this system; node_modules may come from another system: delete it and install again here`,
    { cause },
  );
}

function isNative(version: string): boolean {
  return /^7\.0\./.test(version);
}

function versionOf(root: string): string {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  return version;
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
