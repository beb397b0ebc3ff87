// The environment variables of a worker: those of the shell, of `.env`, and those that `fw dev` sets.
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { withoutInspector } from '../config/node-options.js';
import { readText } from '../files/read-text.js';

/**
 * The variables of `.env` and of the shell; the shell's take precedence, as in `process.loadEnvFile`. Debuggers do not
 * attach to child processes by NODE_OPTIONS, which all of them would share.
 */
export function readEnvironment(root: string, shell: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  return withoutInspector({ ...readEnvFile(root), ...shell });
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
