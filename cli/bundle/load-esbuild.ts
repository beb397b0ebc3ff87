// The esbuild of the app, or that of `fw`.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as Esbuild from 'esbuild';
import { CliError } from '../terminal/errors.js';

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
        help: namesEsbuild(root)
          ? 'install the packages: npm install'
          : 'install it: npm install --save-dev esbuild',
        cause,
      });
    }
  }
}

/** Whether package.json has it: then nothing was installed yet. */
function namesEsbuild(root: string): boolean {
  try {
    const { dependencies, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    return 'esbuild' in { ...dependencies, ...devDependencies };
  } catch {
    return false;
  }
}
