// Counts the files and functions of the framework that one GET over HTTP enters, by V8's precise coverage.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export interface EnteredCode {
  readonly files: number;
  readonly functions: number;
}

/** In a process of its own: a server that is warm answers one request more. */
export async function measureGet(root: string): Promise<EnteredCode> {
  const program = fileURLToPath(new URL('measure-get-process.ts', import.meta.url));
  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, ['--import', 'tsx', program], { cwd: root });
  return JSON.parse(stdout) as EnteredCode;
}
