// The environment variables of a worker: those of the shell, of `.env`, and those that `fw dev` sets.
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { withoutInspector } from '../config/node-options.js';
import { readText } from '../files/read-text.js';

/**
 * The variables of `.env` and of the shell; the shell's take precedence, as in `process.loadEnvFile`. Debuggers do not
 * attach to child processes by NODE_OPTIONS, which all of them would share.
 */
export function readEnvironment(
  root: string,
  shell: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
): NodeJS.ProcessEnv {
  const file = readEnvFile(root);
  return withoutInspector(platform === 'win32' ? joined([file, shell]) : { ...file, ...shell });
}

/** What fw reads. */
const known: readonly string[] = ['NODE_ENV', 'NODE_OPTIONS', 'PATH', 'PORT'];

/**
 * For Windows, where the case of names does not matter, and a process gets one of those that differ in it alone. A copy
 * of `process.env` distinguishes them.
 */
function joined(all: readonly NodeJS.ProcessEnv[]): NodeJS.ProcessEnv {
  const names = new Map(known.map((name) => [name, name]));
  const variables: NodeJS.ProcessEnv = {};
  for (const [name, value] of all.flatMap((one) => Object.entries(one))) {
    const first = names.get(name.toUpperCase()) ?? name;
    names.set(name.toUpperCase(), first);
    variables[first] = value;
  }
  return variables;
}

export function workerEnvironment(root: string, port: number): NodeJS.ProcessEnv {
  const env = readEnvironment(root);
  return { ...env, NODE_ENV: env.NODE_ENV || 'development', PORT: String(port) };
}

/** The variables of `.env`; none if there is no such file. No system has variables with a NUL: what has one is left out. */
export function readEnvFile(root: string): NodeJS.ProcessEnv {
  let text: string;
  try {
    text = readText(join(root, '.env'));
  } catch {
    return {};
  }
  const variables = Object.entries(parseEnv(text));
  return Object.fromEntries(variables.filter((variable) => !variable.join('').includes('\0')));
}
