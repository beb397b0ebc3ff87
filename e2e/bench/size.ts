// Packages and megabytes that a contender brings into node_modules: itself and what its package.json asks for, as this
// folder's node_modules has it.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Series } from './series.js';

const here = fileURLToPath(new URL('.', import.meta.url));
const repository = fileURLToPath(new URL('../..', import.meta.url));

/** What an app with routes on Node.js needs of each. */
const installs: Readonly<Record<string, readonly string[]>> = {
  fastify: ['fastify'],
  hono: ['hono', '@hono/node-server'],
  h3: ['h3'],
  elysia: ['elysia', '@elysiajs/node'],
  koa: ['koa', '@koa/router'],
  express: ['express'],
};

interface Package {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { optional?: boolean }>>;
}

export function installedSizes(): Series[] {
  const sizes: Record<string, { packages: number; megabytes: number }> = { fw: sizeOfOwn() };
  for (const [name, packages] of Object.entries(installs)) {
    const folders = new Set<string>();
    for (const one of packages) collect(one, here, folders);
    sizes[name] = { packages: folders.size, megabytes: total(folders) };
  }
  const pick = (what: 'packages' | 'megabytes', unit: string): Series => ({
    name: `installed ${what}`,
    unit,
    better: 'less',
    base: 'fw',
    rounds: Object.fromEntries(Object.entries(sizes).map(([name, size]) => [name, [size[what]]])),
  });
  return [pick('packages', 'packages'), pick('megabytes', 'MB')];
}

/** The package as npm would publish it, with its dependencies. */
function sizeOfOwn(): { packages: number; megabytes: number } {
  const output = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: repository,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [packed] = Object.values(JSON.parse(output)) as [{ unpackedSize: number }];
  const folders = new Set<string>();
  for (const name of Object.keys(readPackage(repository).dependencies ?? {}))
    collect(name, repository, folders);
  return { packages: folders.size + 1, megabytes: packed.unpackedSize / 1e6 + total(folders) };
}

/** As Node.js looks for a package: in the folder's own node_modules, then in those above. */
function collect(name: string, from: string, folders: Set<string>): void {
  const parts = from.split('/');
  for (let depth = parts.length; depth > 0; depth--) {
    const folder = join('/', ...parts.slice(0, depth), 'node_modules', name);
    if (!existsSync(join(folder, 'package.json'))) continue;
    if (folders.has(folder)) return;
    folders.add(folder);
    const { dependencies, peerDependencies = {}, peerDependenciesMeta = {} } = readPackage(folder);
    const peers = Object.keys(peerDependencies).filter((peer) => !peerDependenciesMeta[peer]?.optional);
    for (const one of [...Object.keys(dependencies ?? {}), ...peers]) collect(one, folder, folders);
    return;
  }
  throw new Error(`${name}, which ${from} needs, is not installed`);
}

function readPackage(folder: string): Package {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Package;
}

function total(folders: ReadonlySet<string>): number {
  let bytes = 0;
  for (const folder of folders) {
    for (const entry of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      // Packages inside of it are counted by themselves.
      if (entry.split('/').includes('node_modules')) continue;
      const found = statSync(join(folder, entry));
      if (found.isFile()) bytes += found.size;
    }
  }
  return bytes / 1e6;
}
