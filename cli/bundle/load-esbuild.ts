// The esbuild of the app, or that of `fw`.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type * as Esbuild from 'esbuild';
import { readJson } from '../files/read-text.js';
import { addCommand, packageManagerFor } from '../manager/package-manager.js';
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
          ? `install the packages: ${packageManagerFor(root)} install`
          : `install it: ${addCommand(root, 'esbuild', { dev: true })}`,
        cause,
      });
    }
  }
}

/** Whether package.json has it: then nothing was installed yet. */
function namesEsbuild(root: string): boolean {
  try {
    const { dependencies, devDependencies } = readJson(join(root, 'package.json')) as Record<string, object>;
    return 'esbuild' in { ...dependencies, ...devDependencies };
  } catch {
    return false;
  }
}
