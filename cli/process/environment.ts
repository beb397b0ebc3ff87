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
  return Object.fromEntries(variablesOf(text).filter((variable) => !variable.join('').includes('\0')));
}

/** Node.js from 22 on gives `export A=`, which has no value, the name `export A`. */
function variablesOf(text: string): [name: string, value: string | undefined][] {
  return Object.entries(parseEnv(text)).map(([name, value]) => [name.replace(/^export[ \t]+/, ''), value]);
}

const QUOTED = /^(["'`])/;
const ASSIGNED = /^[ \t]*(?:export[ \t]+)?([^\s=#"'`]+)[ \t]*=[ \t]*(.*)$/s;

/** What is not understood in `.env`, with the line and without the value, which may be a secret. */
export function envFileFaults(root: string): string[] {
  let text: string;
  try {
    text = readText(join(root, '.env'));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' ? [] : [`.env cannot be read: ${code}`];
  }
  const known = new Map(variablesOf(text));
  const lines = text.split(/\r?\n/);
  const faults: string[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    if (/^\s*(?:#|$)/.test(line)) continue;
    const place = `.env:${at + 1}`;
    const [, name = '', value = ''] = ASSIGNED.exec(line) ?? [];
    const [, quote] = QUOTED.exec(value) ?? [];
    const end = quote === undefined ? at : endOfQuoted(lines, at, value.slice(1), quote);
    if (name === '') {
      faults.push(`${place} is not read: write NAME=value, or begin a comment with #`);
    } else if (end === undefined) {
      faults.push(`${place} has a value whose quotation mark is not closed: close it, or remove it`);
    } else if (!known.has(name)) {
      faults.push(
        `${place} is not read, because of a line above it: correct that, or do not indent comments`,
      );
    } else if (`${name}${known.get(name)}`.includes('\0')) {
      const where = name.includes('\0') ? 'name' : 'value';
      faults.push(`${place} is not read: remove the NUL character from the ${where}`);
    }
    at = end ?? at;
  }
  return faults;
}

/** The line where a quoted value ends; undefined if it does not. */
function endOfQuoted(
  lines: readonly string[],
  first: number,
  rest: string,
  quote: string,
): number | undefined {
  if (rest.includes(quote)) return first;
  const found = lines.findIndex((line, index) => index > first && line.includes(quote));
  return found === -1 ? undefined : found;
}
