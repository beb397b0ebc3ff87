// Decides whether `fw dev` generates a client for its app, and where.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type AbsolutePath, absolutePath, pathIn } from '../../../framework/files/absolute-path.js';
import { loadProject } from '../../config/load.js';
import { type GenerateSettings, settleGenerate } from '../../generate/generate-settings.js';
import { CliError } from '../../terminal/errors.js';

/**
 * Undefined if fw.toml has no `output_path`, if its `backend_path` is another app, or if the app has no
 * `src/generate-client.ts`.
 * @throws CliError, UsageError
 */
export function settleClient(appRoot: AbsolutePath, cwd: string): GenerateSettings | undefined {
  const { root: base, settings } = loadProject(cwd);
  const { output_path, backend_path } = settings.generate;
  if (output_path === undefined || !existsSync(clientEntry(appRoot))) return undefined;
  const root = backend_path === undefined ? base : absolutePath(resolve(base, backend_path));
  return root === appRoot ? settleGenerate({}, cwd) : undefined;
}

export function clientEntry(appRoot: AbsolutePath): AbsolutePath {
  return absolutePath(pathIn(appRoot, 'src/generate-client.ts'));
}

/** The files with the types of procedures. `client` is undefined if none is generated. */
export function contractFiles(
  appRoot: AbsolutePath,
  cwd: string,
): { client: string | undefined; contract: string } {
  const contract = join(appRoot, 'src/rpc-contract.json');
  try {
    const files = settleClient(appRoot, cwd)?.client?.files;
    return { client: files?.source ?? files?.declared?.types, contract };
  } catch (error) {
    // The generation reports it.
    if (error instanceof CliError) return { client: undefined, contract };
    throw error;
  }
}
