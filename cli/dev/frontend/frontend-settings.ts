// Determines the frontend of an app, whose dev server `fw dev` runs beside the app: fw.toml and the Vite of the app.
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { absolutePath } from '../../../framework/files/absolute-path.js';
import type { Project } from '../../config/load.js';
import { addCommand } from '../../manager/package-manager.js';
import { CliError } from '../../terminal/errors.js';

export interface FrontendSettings {
  /** Of the app; absolute, as the other paths. */
  readonly root: string;
  /** The folder with Vite's configuration. */
  readonly folder: string;
  /** What else of the app the frontend may import. */
  readonly allowed: readonly string[];
  /** The port on 127.0.0.1 that Vite listens on. */
  readonly port: number;
  /** Vite's program. */
  readonly program: string;
}

const configNames = ['ts', 'mts', 'js', 'mjs', 'cts', 'cjs'].map((extension) => `vite.config.${extension}`);

/**
 * Undefined if fw.toml has no `frontend_port`.
 * @throws CliError if the folder has no configuration of Vite, or Vite is not installed
 */
export function settleFrontend({ root, settings }: Project): FrontendSettings | undefined {
  const { frontend_port: port, frontend_path, frontend_allow = [] } = settings.dev;
  if (port === undefined) return undefined;
  const folder = resolve(root, frontend_path ?? 'web');
  const shown = relative(absolutePath('.'), folder) || '.';
  if (!configNames.some((name) => existsSync(join(folder, name)))) {
    throw new CliError(
      `there is no vite.config.ts in ${shown}, which is the frontend because fw.toml has a frontend_port`,
      {
        help: 'name its folder in fw.toml: [dev] frontend_path, or remove frontend_port',
      },
    );
  }
  const allowed = frontend_allow.map((path) => resolve(root, path));
  return { root, folder, allowed, port, program: viteProgram(folder, shown) };
}

function viteProgram(folder: string, shown: string): string {
  try {
    const manifest = createRequire(join(folder, 'vite.config.ts')).resolve('vite/package.json');
    const { bin } = JSON.parse(readFileSync(manifest, 'utf8'));
    return join(dirname(manifest), typeof bin === 'string' ? bin : bin.vite);
  } catch (cause) {
    throw new CliError(`vite is not installed, with which the frontend in ${shown} is served`, {
      help: `install it: ${addCommand(folder, 'vite', { dev: true })}`,
      cause,
    });
  }
}
