// The script of package.json that does the work of a placeholder command.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readJson } from '../files/read-text.js';
import { CliError } from '../terminal/errors.js';

export interface AppScript {
  readonly name: string;
  /** The directory of its package.json, where package managers run it. */
  readonly directory: string;
}

/** An entry for `scripts` of package.json that does the work of a command, as those of the templates do. */
const examples = {
  build: '"build": "tsc"',
  test: '"test": "vitest run"',
  fmt: '"format": "biome check --write ."',
  lint: '"lint": "biome check ."',
} as const;

export type Placeholder = keyof typeof examples;

/**
 * The first of these scripts that the nearest package.json has.
 * @throws CliError without one, which says how to add it
 */
export function findScript(command: Placeholder, names: readonly string[], cwd: string): AppScript {
  const path = nearestManifest(cwd, command);
  const scripts = scriptsOf(path);
  const name = names.find((one) => Object.hasOwn(scripts, one) && scripts[one] !== '');
  if (name === undefined) {
    throw new CliError(`${path} has no script ${names.map((one) => `"${one}"`).join(' or ')}`, {
      help: `add one to "scripts" there that does the work, such as ${examples[command]}`,
    });
  }
  if (typeof scripts[name] !== 'string') {
    throw new CliError(`the script "${name}" in ${path} is not a string: ${JSON.stringify(scripts[name])}`, {
      help: `write the command there that does the work, such as ${examples[command]}`,
    });
  }
  return { name, directory: dirname(path) };
}

/** Package managers run the scripts of the nearest one too. */
function nearestManifest(cwd: string, command: Placeholder): string {
  for (let folder = cwd; ; folder = dirname(folder)) {
    const path = join(folder, 'package.json');
    if (existsSync(path)) return path;
    if (folder === dirname(folder)) break;
  }
  throw new CliError(`there is no package.json in ${cwd} or above`, {
    help: `run fw ${command} in the directory of an app; fw new makes one`,
  });
}

function scriptsOf(path: string): Readonly<Record<string, unknown>> {
  let manifest: unknown;
  try {
    manifest = readJson(path);
  } catch (error) {
    const [reason] = (error as Error).message.split('\n');
    const problem = error instanceof SyntaxError ? 'is not valid JSON' : 'cannot be read';
    throw new CliError(`${path} ${problem}: ${reason}`, { help: 'correct it', cause: error });
  }
  const scripts = isObject(manifest) ? manifest.scripts : undefined;
  return isObject(scripts) ? scripts : {};
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
