// Runs `fw dev` of the new app, with the `fw` that the app has installed.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CliError, ExitCode } from '../terminal/errors.js';
import type { PackageManager } from './package-manager.js';

export async function startApp(directory: string, manager: PackageManager): Promise<void> {
  const { execa } = await import('execa');
  const binary = installedBinary(directory);
  const [program, args] = binary ? [process.execPath, [binary, 'dev']] : [manager, ['run', 'dev']];
  // Ctrl+C reaches both processes; this one waits until the other has exited.
  const ignore = (): void => {};
  process.on('SIGINT', ignore);
  const child = execa(program, args, { cwd: directory, stdio: 'inherit', reject: false });
  const pass = (): void => void child.kill('SIGTERM');
  process.on('SIGTERM', pass).on('SIGHUP', pass);
  const { exitCode, signal } = await child;
  process.off('SIGINT', ignore).off('SIGTERM', pass).off('SIGHUP', pass);
  if (exitCode === 0) return;
  if (exitCode === ExitCode.cancelled || signal === 'SIGINT')
    throw new CliError('', { exitCode: ExitCode.cancelled });
  throw new CliError(`fw dev ended with ${signal ?? `exit code ${exitCode}`}`);
}

/**
 * The binary, to be run by node directly: a package manager in between would interfere with signals and the
 * terminal.
 */
function installedBinary(directory: string): string | undefined {
  const root = join(directory, 'node_modules/fw');
  try {
    const { bin } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    return join(root, typeof bin === 'string' ? bin : bin.fw);
  } catch {
    return undefined;
  }
}
