// The notice of a placeholder command, which names the script of the project that does the work.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { callingPackageManager, lockedPackageManager } from '../new/package-manager.js';
import { CliError } from '../terminal/errors.js';

/** A command that only names the first of `scripts` that ./package.json has. */
export function placeholder(name: string, scripts: readonly string[]): Command {
  return new Command(name)
    .description('A placeholder: prints which script of this project does the work.')
    .addHelpText('after', `\nExamples:\n  fw ${name}   in the directory of an app`)
    .action(() => {
      process.stdout.write(`${notice(name, scripts, process.cwd())}\n`);
    });
}

export function notice(name: string, scripts: readonly string[], directory: string): string {
  const present = scriptsOf(directory);
  if (!present) return `fw ${name} is a placeholder, and there is no package.json in ${directory}`;
  const script = scripts.find((candidate) => Object.hasOwn(present, candidate));
  if (!script)
    return `fw ${name} is a placeholder, and package.json has no "${scripts[0]}" script to run instead`;
  const manager = lockedPackageManager(directory) ?? callingPackageManager() ?? 'npm';
  return `fw ${name} is a placeholder; run: ${manager} run ${script}`;
}

function scriptsOf(directory: string): object | undefined {
  const path = join(directory, 'package.json');
  try {
    const manifest: unknown = JSON.parse(readFileSync(path, 'utf8'));
    const scripts = manifest && typeof manifest === 'object' && 'scripts' in manifest && manifest.scripts;
    return scripts && typeof scripts === 'object' ? scripts : {};
  } catch (error) {
    if (error instanceof SyntaxError) {
      throw new CliError(`${path} is not valid JSON: ${error.message.split('\n')[0]}`, { cause: error });
    }
    return undefined;
  }
}
