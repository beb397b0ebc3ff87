// Decides whether `fw dev` generates a client for its app, and where.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { loadProject } from '../../config/load.js';
import { type GenerateSettings, settleGenerate } from '../../generate/generate-settings.js';

/**
 * Undefined if fw.toml has no `output_path`, if its `backend_path` is another app, or if the app has no
 * `src/generate-client.ts`.
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
