// The package.json of the app, as far as `fw doctor` reads it.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readJson } from '../files/read-text.js';
import { CliError } from '../terminal/errors.js';

export interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly engines: Readonly<Record<string, string>>;
}

/** @throws CliError if it is not a JSON object */
export function readManifest(root: string): Manifest | undefined {
  const file = join(root, 'package.json');
  if (!existsSync(file)) return undefined;
  let found: unknown;
  try {
    found = readJson(file);
  } catch (cause) {
    throw new CliError(`package.json is not valid JSON: ${(cause as Error).message.split('\n')[0]}`, {
      help: 'correct the file',
      cause,
    });
  }
  const { dependencies, devDependencies, engines } = (found ?? {}) as Record<string, unknown>;
  return { dependencies: { ...texts(devDependencies), ...texts(dependencies) }, engines: texts(engines) };
}

function texts(value: unknown): Record<string, string> {
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(Object.entries(value).filter(([, text]) => typeof text === 'string'));
}
