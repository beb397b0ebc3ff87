// Everything that `fw new` is going to do, as data; nothing is written before the plan is complete.

import { randomBytes } from 'node:crypto';
import { existsSync, lstatSync, realpathSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { existingFolder } from '../files/existing-folder.js';
import { isMember, managerFiles } from '../manager/manager-files.js';
import { managerVersion } from '../manager/manager-version.js';
import {
  callingPackageManager,
  type PackageManager,
  packageManagerFor,
  runners,
} from '../manager/package-manager.js';
import { type Workspace, workspaceAbove } from '../manager/workspace.js';
import { packageRoot } from '../process/package-root.js';
import { CliError, UsageError } from '../terminal/errors.js';
import { type FwSource, fwSpec, tarballPath } from '../vendor/fw-dependency.js';
import { ownPackage } from '../vendor/own-package.js';
import { shown } from './name.js';
import { cdTo, commandIn, commandLine } from './quote.js';
import type { Request } from './request.js';
import { compare, resolveTarget } from './target.js';
import type { TemplateFile } from './templates.js';

export interface Plan {
  name: string;
  template: string;
  /** Absolute. */
  directory: string;
  /** The directory as the user would type it in the current directory. */
  path: string;
  exists: boolean;
  fwSpec: string;
  fwSource: FwSource;
  packageManager: PackageManager;
  /** The files to write; without those that already exist with the same content. */
  files: TemplateFile[];
  /** Those of `files` that replace an existing file. */
  overwritten: string[];
  install: boolean;
  git: boolean;
  /** The git work tree that contains the directory; if there is one, the app does not get its own repository. */
  workTree: string | undefined;
  /** The workspace above the directory, whether the app belongs to it or not. */
  workspace: Workspace | undefined;
  /** The command that repeats this. */
  command: string;
  /** What to type next, in order. */
  next: string[];
}

export function makePlan(request: Request, cwd: string): Plan {
  const { template, packageManager, install } = request;
  const { directory, name, exists } = resolveTarget(request.argument, request.name, cwd);
  const path = shortPath(directory, cwd);
  const source = template.read();
  if (dependencyNames(source).includes(name)) {
    throw new UsageError(
      `an app called ${shown(name)} could not depend on the package ${name}`,
      `try: fw new my-${name}`,
    );
  }
  const spec = fwSpec(request.fwSource, packageManager);
  const workspace = workspaceAbove(directory, packageManager === 'pnpm');
  const values = {
    templateName: nameIn(source),
    name,
    fwSpec: spec,
    fwSource: request.fwSource,
    packageManager,
    managerVersion: () => managerVersion(packageManager, directory),
    isWorkspaceMember: packageManager === 'npm' && isMember(workspace),
  };
  const carried = request.fwSource === 'vendor' ? [carriedPackage()] : [];
  const filled = [...source.map((file) => fill(file, values)), ...carried];
  const { conflicts, unchanged } = exists ? compare(directory, filled) : { conflicts: [], unchanged: [] };
  if (conflicts.length > 0 && !request.force) throw conflictError(path, conflicts);
  const settings = managerFiles(packageManager, directory).map(asFile);
  const missing = [makeEnvFile(filled), ...settings]
    .filter((file) => file !== undefined)
    .filter((file) => isMissing(directory, file) && filled.every(({ path }) => path !== file.path));
  return {
    name,
    template: template.name,
    directory,
    path,
    exists,
    fwSpec: spec,
    fwSource: request.fwSource,
    packageManager,
    files: [...missing, ...filled.filter((file) => !unchanged.includes(file.path))],
    overwritten: conflicts,
    install,
    // A workspace is one repository, which may not have been made yet.
    git: request.git && (workspace === undefined || workspace.hasDirectory === false),
    workTree: findWorkTree(directory),
    workspace,
    command: reproduce(request, cwd),
    next: nextSteps(path, packageManager, install),
  };
}

/** The tarball of the running `fw`. */
function carriedPackage(): TemplateFile {
  const { version, content } = ownPackage();
  return { path: tarballPath(version), content, executable: false };
}

function asFile({ path, text }: { path: string; text: string }): TemplateFile {
  return { path, content: Buffer.from(text), executable: false };
}

/** Secrets may be in use and settings have been changed: such a file stays, with `--force` too. */
function isMissing(directory: string, { path }: TemplateFile): boolean {
  return lstatSync(join(directory, path), { throwIfNoEntry: false }) === undefined;
}

function conflictError(path: string, conflicts: readonly string[]): CliError {
  const listed = conflicts.slice(0, 12).join(', ');
  const more = conflicts.length > 12 ? ` and ${conflicts.length - 12} more` : '';
  return new CliError(
    `${path === '.' ? 'this directory' : path} has files that differ from the app's: ${listed}${more}`,
    {
      help: 'choose another directory, or overwrite these with --force; no other file is touched',
    },
  );
}

function findWorkTree(directory: string): string | undefined {
  const nearest = existingFolder(directory);
  if (nearest === undefined) return undefined;
  for (let path = realpathSync(nearest); ; path = dirname(path)) {
    if (existsSync(join(path, '.git'))) return path;
    if (path === dirname(path)) return undefined;
  }
}

function nextSteps(path: string, manager: PackageManager, install: boolean): string[] {
  return [...cdTo(path), ...(install ? [] : [`${manager} install`]), `${manager} run dev`];
}

/** The directory as the user would type it in `cwd`: the shorter of the relative and the absolute path. */
function shortPath(directory: string, cwd: string): string {
  const path = relative(cwd, directory) || '.';
  return path.length < directory.length ? path : directory;
}

/** What to type next, after an installation that failed. */
export function nextAfterFailure({ path, packageManager }: Plan): string[] {
  return nextSteps(path, packageManager, false);
}

/** The command to type after a failed installation; Yarn installs a workspace from its root. */
export function retryInstall({ path, packageManager, workspace }: Plan): string {
  const place = packageManager === 'yarn' && isMember(workspace) ? (workspace?.root ?? path) : path;
  return commandIn(place, `${packageManager} install`);
}

/** The file, for this machine only; undefined if the template has no `.env.example`. */
export function makeEnvFile(files: readonly TemplateFile[]): TemplateFile | undefined {
  const example = files.find(({ path }) => path === '.env.example');
  if (example === undefined) return undefined;
  const text = Buffer.from(example.content).toString('utf8');
  const content = Buffer.from(text.replace(/(?<=^\w+=)<secret>$/gm, newSecret));
  return { path: '.env', content, executable: false, isSecret: true };
}

/** 32 bytes, as long as the key of HMAC SHA-256 should be (RFC 2104, section 3). */
function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** Leaves out defaults to keep the command short. */
function reproduce(request: Request, cwd: string): string {
  const { argument, name, template, packageManager, install, git, force, fwSource } = request;
  const otherManager = packageManager !== packageManagerFor(resolve(cwd, argument));
  return commandLine([
    ...caller(cwd),
    'new',
    argument,
    ...(name === undefined ? [] : ['--name', name]),
    ...['--template', template.name],
    ...(otherManager ? ['--package-manager', packageManager] : []),
    ...(install ? [] : ['--no-install']),
    ...(git ? [] : ['--no-git']),
    ...(fwSource === 'registry' ? ['--from-registry'] : fwSource === 'link' ? ['--link'] : []),
    ...(force ? ['--force'] : []),
  ]);
}

/**
 * The words that run `fw`: `npx fw` only if that finds this `fw`, because otherwise npx would fetch another
 * package.
 */
function caller(cwd: string): readonly string[] {
  const manager = callingPackageManager();
  if (manager && isInstalledAt(cwd)) return [...runners[manager], 'fw'];
  // `npx --package=./fw-0.9.0.tgz fw`: there is no command `fw` without it.
  const { npm_command, npm_config_package: source } = process.env;
  return npm_command === 'exec' && source ? ['npx', `--package=${source}`, 'fw'] : ['fw'];
}

function isInstalledAt(cwd: string): boolean {
  const root = packageRoot();
  for (let directory = cwd; ; directory = dirname(directory)) {
    try {
      if (realpathSync(join(directory, 'node_modules/fw')) === root) return true;
    } catch {
      // Not at this level.
    }
    if (directory === dirname(directory)) return false;
  }
}

interface Values {
  /** The name that the template's files contain. */
  templateName: string;
  name: string;
  fwSpec: string;
  fwSource: FwSource;
  packageManager: PackageManager;
  /** Asked for only where a file needs it; undefined if the package manager is not installed. */
  managerVersion: () => string | undefined;
  /** In a workspace of npm, whose root alone decides on install scripts: npm warns of other places. */
  isWorkspaceMember: boolean;
}

type Edit = (text: string, values: Values) => string;

const edits: Readonly<Record<string, Edit>> = {
  'package.json': (text, { name, fwSpec, isWorkspaceMember }) => {
    const manifest = JSON.parse(text.replace(/^\uFEFF/, ''));
    manifest.name = name;
    manifest.dependencies.fw = fwSpec;
    if (isWorkspaceMember) delete manifest.allowScripts;
    return `${JSON.stringify(manifest, null, 2)}\n`;
  },
  'fw.toml': (text, { templateName, name }) =>
    text.replace(`name = "${templateName}"`, () => `name = "${name}"`),
  'README.md': (text, { templateName, name }) => text.replace(`# ${templateName}\n`, () => `# ${name}\n`),
  Dockerfile: (text, values) => {
    const { files, install } = frozenInstall(values);
    const own = text
      .replace('COPY package.json package-lock.json ./\n', `COPY ${files} ./\n`)
      .replace('RUN npm ci\n', `RUN ${install}\n`);
    return values.fwSource === 'vendor' ? own : own.replace('COPY vendor ./vendor\n', '');
  },
  '.github/workflows/ci.yml': (text, values) => {
    if (values.packageManager === 'npm') return text;
    const { install } = frozenInstall(values);
    // The cache of the action needs the package manager before the step that brings it.
    return text.replace('- run: npm ci\n', `- run: ${install}\n`).replace(/ +cache: npm\n/, '');
  },
};

/** The installation of exactly what the lock file says, and what an image needs for it. */
function frozenInstall({ packageManager, managerVersion }: Values): { files: string; install: string } {
  if (packageManager === 'npm') return { files: 'package.json package-lock.json', install: 'npm ci' };
  const version = managerVersion();
  const run = (name: string, otherwise: string, ...args: string[]): string =>
    ['npx', '--yes', `${name}@${version ?? otherwise}`, 'install', ...args].join(' ');
  if (packageManager === 'pnpm') {
    const files = 'package.json pnpm-lock.yaml pnpm-workspace.yaml';
    return { files, install: run('pnpm', 'latest', '--frozen-lockfile') };
  }
  if (packageManager === 'bun') {
    return { files: 'package.json bun.lock', install: run('bun', '1', '--frozen-lockfile') };
  }
  const files = 'package.json yarn.lock .yarnrc.yml';
  if (version?.startsWith('1.') === true) return { files, install: run('yarn', '1', '--frozen-lockfile') };
  return { files, install: run('@yarnpkg/cli-dist', '4', '--immutable') };
}

export function fill(file: TemplateFile, values: Values): TemplateFile {
  const edit = edits[file.path];
  if (!edit) return file;
  // A checkout of fw may have other line ends.
  const text = Buffer.from(file.content).toString('utf8').replaceAll('\r\n', '\n');
  return { ...file, content: Buffer.from(edit(text, values)) };
}

/** The name in the package.json of a template. */
function nameIn(files: readonly TemplateFile[]): string {
  return manifestIn(files).name ?? '';
}

/** Names that the app must not have, because it depends on packages of these names. */
export function dependencyNames(files: readonly TemplateFile[]): string[] {
  const { dependencies, devDependencies } = manifestIn(files);
  return Object.keys({ ...dependencies, ...devDependencies });
}

interface Manifest {
  readonly name?: string;
  readonly dependencies?: object;
  readonly devDependencies?: object;
}

function manifestIn(files: readonly TemplateFile[]): Manifest {
  const manifest = files.find((file) => file.path === 'package.json');
  return manifest ? JSON.parse(new TextDecoder().decode(manifest.content)) : {};
}
