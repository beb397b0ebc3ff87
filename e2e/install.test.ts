// From one machine to another, with nothing but the tarball of fw: an app is made on the first and committed, cloned
// on the second, installed, checked, built and started there. Neither has the caches of the other, nor a clone of fw.
// CI makes every template with one version of each package manager, two at a time. FW_JOURNEY=all makes them with every
// version, and workspaces, and takes half an hour; FW_JOURNEY='yarn 1' makes those of one, and its workspace, and
// FW_TEMPLATES=basic one template.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { parseEnv } from 'node:util';
import { describe, expect, test } from 'vitest';
import { listTemplates } from '../cli/new/templates.js';
import packageJson from '../package.json' with { type: 'json' };
import { statusOfFirstPage } from './first-page.js';
import { hasManagers, type Machine, type Manager, managers, newMachine } from './managers/machine.js';
import { packedTarball } from './packed.js';

if (process.env.CI && !hasManagers) throw new Error('npm ci --prefix e2e/managers was not run');
const isWhole = process.env.FW_JOURNEY === 'all';
const isOwn = (name: string): boolean => name === process.env.FW_JOURNEY;
const usual = ['npm', 'pnpm 10', 'yarn 4', 'bun'];
const node = Number(process.versions.node.split('.')[0]);
const names = Object.keys(managers).filter((name) =>
  process.env.FW_JOURNEY ? isWhole || isOwn(name) : usual.includes(name),
);
const templates = process.env.FW_TEMPLATES?.split(',') ?? listTemplates().map(({ name }) => name);
const carried = `vendor/fw-${packageJson.version}.tgz`;
const patience = { timeout: 1_800_000 };

/** Machines with `fw` from the tarball, by their package manager. */
const makers = new Map<string, Promise<Machine>>();
/** Machines to which apps are cloned: what one has taken from the registry, the next one finds there. */
const others = new Map<Manager, Machine>();

function maker(name: string): Promise<Machine> {
  const made = makers.get(name) ?? installed(find(name));
  makers.set(name, made);
  return made;
}

/** As the README says. */
async function installed(manager: Manager): Promise<Machine> {
  const machine = newMachine(manager);
  const prefix = join(dirname(machine.place), 'global');
  await machine.run(machine.place, 'npm', 'install', '--global', '--prefix', prefix, packedTarball());
  machine.env.PATH = `${join(prefix, 'bin')}:${machine.env.PATH}`;
  return machine;
}

function find(name: string): Manager {
  const manager = managers[name];
  if (manager === undefined) throw new Error(`there is no package manager ${name}`);
  if (node < manager.node) throw new Error(`${name} needs Node.js ${manager.node}, and this is ${node}`);
  return manager;
}

/** Commits all of it, clones it to another machine, and takes the original out of reach. */
async function moved(from: Machine, root: string, manager: Manager): Promise<{ to: Machine; clone: string }> {
  if (!existsSync(join(root, '.git'))) await from.run(root, 'git', 'init', '--quiet');
  await from.run(root, 'git', 'add', '--all');
  await from.run(root, 'git', 'commit', '--quiet', '--message', 'Begin');
  const to = others.get(manager) ?? newMachine(manager);
  others.set(manager, to);
  const clone = join(to.place, basename(root));
  await to.run(to.place, 'git', 'clone', '--quiet', root, clone);
  renameSync(root, `${root}.away`);
  return { to, clone };
}

/** Whose own tests every package manager runs; those of the others pass with npm, and take minutes. */
const quick = ['basic', 'rpc'];

/** Its tests and its build, and what no package manager changes if there is time. */
async function passes(machine: Machine, app: string, template: string, manager: Manager): Promise<void> {
  if (process.env.FW_JOURNEY) {
    await machine.run(app, manager.name, 'run', 'typecheck');
    await machine.run(app, manager.name, 'run', 'lint');
  }
  if (process.env.FW_JOURNEY || manager.name === 'npm' || quick.includes(template)) {
    const { stdout } = await machine.run(app, manager.name, 'run', 'test');
    expect(stdout).toMatch(/Tests +(\d+) passed/);
  }
  await machine.run(app, manager.name, 'run', 'build');
}

function secretsOf(app: string): NodeJS.ProcessEnv {
  const file = join(app, '.env');
  return existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {};
}

async function goes(template: string, name: string): Promise<void> {
  const manager = find(name);
  const first = await maker(name);
  const place = join(first.place, template);
  const args = ['new', template, '-t', template, '--package-manager', manager.name];
  const { stderr } = await first.run(first.place, 'fw', ...args);
  // npm 11 speaks of install scripts that nobody has decided on, and pnpm 11 fails.
  expect(stderr).not.toMatch(/install.scripts|ignored build/i);
  const secrets = secretsOf(place);
  const { to, clone } = await moved(first, place, manager);
  expect(existsSync(join(clone, carried))).toBe(true);
  expect(existsSync(join(clone, manager.lockFile))).toBe(true);
  await to.run(clone, manager.name, ...manager.frozen);
  await passes(to, clone, template, manager);
  const env = { ...to.env, ...secrets, MIGRATE: 'true' };
  expect(await statusOfFirstPage([manager.name, 'run', 'start'], clone, env)).toBeLessThan(500);
  // Git has no secrets; colleagues give them to each other.
  writeFileSync(join(clone, '.env'), linesOf(secrets));
  const doctor = await to.run(clone, manager.name, ...runs(manager), 'fw', 'doctor', '--json');
  // Yarn 1 writes lines around it.
  const { findings } = JSON.parse(/^\{.*\}$/m.exec(doctor.stdout)?.[0] ?? '') as {
    findings: { check: string; status: string }[];
  };
  expect(findings.filter(({ check }) => check === 'fw')).toMatchObject([{ status: 'ok' }]);
  expect((await to.run(clone, 'git', 'status', '--short')).stdout).toBe('');
}

function linesOf(secrets: NodeJS.ProcessEnv): string {
  return Object.entries(secrets)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
}

describe.skipIf(!hasManagers)('an app goes from one machine to another', () => {
  test.concurrent.each(names)('every template, with %s', patience, async (name) => {
    for (const template of templates) await goes(template, name);
  });

  test.skipIf(!process.env.FW_JOURNEY).each(names)(
    'two apps of a workspace, with %s',
    patience,
    async (name) => {
      const manager = find(name);
      const first = await maker(name);
      const root = join(first.place, 'workspace');
      await first.run(first.place, 'mkdir', root);
      for (const [path, text] of Object.entries(workspaceFiles[manager.name])) {
        writeFileSync(join(root, path), text);
      }
      for (const app of ['one', 'two']) {
        // The lock file of the workspace, or its settings, say which package manager it has.
        const chosen = app === 'one' ? ['--package-manager', manager.name] : [];
        const { stderr } = await first.run(root, 'fw', 'new', `apps/${app}`, '-t', 'basic', ...chosen);
        expect(stderr).not.toMatch(/install.scripts|ignored build/i);
      }
      const { to, clone } = await moved(first, root, manager);
      await to.run(clone, manager.name, ...manager.frozen);
      await passes(to, join(clone, 'apps/two'), 'basic', manager);
      expect((await to.run(clone, 'git', 'status', '--short')).stdout).toBe('');
    },
  );
});

const workspace = '{ "name": "mono", "private": true, "workspaces": ["apps/*"] }\n';
const scripts = '"allowScripts": { "esbuild": false, "fsevents": false }';
const ignored = { '.gitignore': 'node_modules/\ndist/\n.yarn/\n' };
const workspaceFiles: Readonly<Record<Manager['name'], Readonly<Record<string, string>>>> = {
  npm: { ...ignored, 'package.json': workspace.replace(' }\n', `, ${scripts} }\n`) },
  pnpm: {
    ...ignored,
    'package.json': '{ "name": "mono", "private": true }\n',
    'pnpm-workspace.yaml':
      'packages:\n  - apps/*\nallowBuilds:\n  esbuild: false\n  fsevents: false\nignoredBuiltDependencies:\n  - esbuild\n',
  },
  yarn: {
    ...ignored,
    'package.json': workspace,
    '.yarnrc.yml': 'nodeLinker: node-modules\n',
    'yarn.lock': '',
  },
  bun: { ...ignored, 'package.json': workspace },
};

/** The words after the package manager that run a binary of the app. */
function runs({ name }: Manager): readonly string[] {
  return { npm: ['exec', '--'], pnpm: ['exec'], yarn: ['run'], bun: ['x'] }[name];
}
