// The variables of a worker: the shell's, what `.env` adds, and what `fw dev` itself sets.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';

/** `.env` of the project; a variable that the shell has already set wins, as in `process.loadEnvFile`. */
export function readEnvironment(root: string, shell: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  return { ...envFile(root), ...shell };
}

export function workerEnvironment(root: string, port: number): NodeJS.ProcessEnv {
  const env = readEnvironment(root);
  return { ...env, NODE_ENV: env.NODE_ENV || 'development', PORT: String(port) };
}

function envFile(root: string): NodeJS.ProcessEnv {
  let text: string;
  try {
    text = readFileSync(join(root, '.env'), 'utf8');
  } catch {
    return {};
  }
  return parseEnv(text) as NodeJS.ProcessEnv;
}
