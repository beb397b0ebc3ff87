// Whether the app of `fw dev` has a client to keep, and where it is.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { loadProject } from '../config/load.js';
import { type GenerateSettings, settleGenerate } from '../generate/settings.js';

/**
 * Undefined where fw.toml names no `output_path`, where it means another app, or where the app has no program
 * that writes a client.
 * @throws CliError, UsageError
 */
export function settleClient(appRoot: string, cwd: string): GenerateSettings | undefined {
  const { root: base, settings } = loadProject(cwd);
  const { output_path, backend_path } = settings.generate;
  if (output_path === undefined || !existsSync(clientEntry(appRoot))) return undefined;
  const root = backend_path === undefined ? base : resolve(base, backend_path);
  return root === appRoot ? settleGenerate({}, cwd) : undefined;
}

export function clientEntry(appRoot: string): string {
  return join(appRoot, 'src/generate-client.ts');
}
