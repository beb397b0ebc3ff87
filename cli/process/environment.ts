// The environment variables of a worker: those of the shell, of `.env`, and those that `fw dev` sets.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';

/** The variables of `.env` and of the shell; the shell's take precedence, as in `process.loadEnvFile`. */
export function readEnvironment(root: string, shell: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  return { ...readEnvFile(root), ...shell };
}

export function workerEnvironment(root: string, port: number): NodeJS.ProcessEnv {
  const env = readEnvironment(root);
  return { ...env, NODE_ENV: env.NODE_ENV || 'development', PORT: String(port) };
}

/** The variables of `.env`; none if there is no such file. */
export function readEnvFile(root: string): NodeJS.ProcessEnv {
  let text: string;
  try {
    text = readFileSync(join(root, '.env'), 'utf8');
  } catch {
    return {};
  }
  return parseEnv(text) as NodeJS.ProcessEnv;
}
