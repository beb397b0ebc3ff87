// A machine of its own, as far as programs can tell: a home without caches and settings, and nothing of this checkout
// in the PATH but one package manager.
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { type RunResult, run, temporaryDirectory } from '../packed.js';

const tools: string = fileURLToPath(new URL('node_modules', import.meta.url));
export const hasManagers: boolean = existsSync(join(tools, 'pnpm-10/package.json'));

/** A package manager in one version. */
export interface Manager {
  readonly name: 'npm' | 'pnpm' | 'yarn' | 'bun';
  /** Where it is; npm is that of Node.js. */
  readonly folder?: string;
  /** The oldest major version of Node.js that it runs on. */
  readonly node: number;
  readonly lockFile: string;
  /** Installs exactly what the lock file says. */
  readonly frozen: readonly string[];
}

const pnpm = { name: 'pnpm', lockFile: 'pnpm-lock.yaml', frozen: ['install', '--frozen-lockfile'] } as const;

export const managers: Readonly<Record<string, Manager>> = {
  npm: { name: 'npm', node: 20, lockFile: 'package-lock.json', frozen: ['ci'] },
  'pnpm 10': { ...pnpm, folder: 'pnpm-10', node: 20 },
  'pnpm 11': { ...pnpm, folder: 'pnpm-11', node: 22 },
  'pnpm 12': { ...pnpm, folder: 'pnpm-12', node: 22 },
  'yarn 1': {
    name: 'yarn',
    folder: 'yarn-1',
    node: 20,
    lockFile: 'yarn.lock',
    frozen: ['install', '--frozen-lockfile'],
  },
  'yarn 4': {
    name: 'yarn',
    folder: 'yarn-4',
    node: 20,
    lockFile: 'yarn.lock',
    frozen: ['install', '--immutable'],
  },
  bun: {
    name: 'bun',
    folder: '@oven/bun-linux-x64',
    node: 20,
    lockFile: 'bun.lock',
    frozen: ['install', '--frozen-lockfile'],
  },
};

export interface Machine {
  /** An empty directory for the work on it. */
  readonly place: string;
  readonly env: NodeJS.ProcessEnv;
  /** Fails if the command fails. */
  run(cwd: string, command: string, ...args: string[]): Promise<RunResult>;
}

/** @param paths directories with other programs of it */
export function newMachine(manager: Manager, ...paths: string[]): Machine {
  const root = temporaryDirectory('fw-machine');
  const [home, place, programs] = ['home', 'place', 'programs'].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ];
  for (const folder of [home, place, programs]) mkdirSync(folder);
  const registry = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim();
  writeFileSync(join(home, '.npmrc'), `registry=${registry}\nfund=false\naudit=false\n`);
  writeFileSync(join(home, '.gitconfig'), '[user]\nname = Ada\nemail = ada@example.org\n');
  writeProgram(manager, programs);
  const env: NodeJS.ProcessEnv = {
    ...network(),
    HOME: home,
    PATH: [...paths, programs, dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(
      delimiter,
    ),
    // Yarn 4 reads no .npmrc.
    YARN_NPM_REGISTRY_SERVER: registry.replace(/\/$/, ''),
    YARN_ENABLE_TELEMETRY: '0',
    // As the superuser, Yarn 1 has its cache outside of the home, and takes a tarball from there by name and version.
    ...(manager.folder === 'yarn-1' && { YARN_CACHE_FOLDER: join(root, 'yarn') }),
    // As in the CI of the app, where nothing may ask.
    CI: '1',
  };
  return {
    place,
    env,
    async run(cwd, command, ...args) {
      const result = await run(command, args, { cwd, env, onlyEnv: true });
      const said = `${command} ${args.join(' ')}\n${result.stdout}\n${result.stderr}`;
      expect(result.exitCode, said).toBe(0);
      return result;
    },
  };
}

/** What requests need here: proxies, and the certificates of their authorities. */
function network(): NodeJS.ProcessEnv {
  const isNeeded = /^(?:(?:https?|all|no)_proxy|node_extra_ca_certs|(?:git_)?ssl_.*)$/i;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => isNeeded.test(name)));
}

/** A program that runs the package manager, whatever its package is called here. */
function writeProgram({ name, folder }: Manager, programs: string): void {
  if (folder === undefined) return;
  const root = join(tools, folder);
  const { bin } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    bin?: Record<string, string>;
  };
  const entry = [bin?.[name], `bin/${name}`, name]
    .flatMap((path) => (path === undefined ? [] : [join(root, path)]))
    .find((path) => existsSync(path));
  if (entry === undefined) throw new Error(`${root} has no program ${name}`);
  const isScript = /\.[cm]?js$/.test(entry);
  const path = join(programs, name);
  writeFileSync(path, `#!/bin/sh\nexec ${isScript ? `node '${entry}'` : `'${entry}'`} "$@"\n`);
  chmodSync(path, 0o755);
}
