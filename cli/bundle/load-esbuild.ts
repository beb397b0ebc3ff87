// The esbuild of the app, or that of `fw`.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type * as Esbuild from 'esbuild';
import { CliError } from '../terminal/errors.js';

export async function loadEsbuild(root: string): Promise<typeof Esbuild> {
  try {
    // For an import, Node would read the text to find the names that it exports, which takes 20 ms.
    return createRequire(join(root, 'package.json'))('esbuild');
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
