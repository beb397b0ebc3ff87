// Everything that `fw new` is going to do, as data; nothing is written before the plan is complete.
import { existsSync, lstatSync, realpathSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { CliError, UsageError } from '../terminal/errors.js';
import { envPath, makeEnvFile } from './env-file.js';
import { dependencyNames, fill } from './fill.js';
import { shown } from './name.js';
import { fwSpec } from './origin.js';
import type { PackageManager } from './package-manager.js';
import { quote } from './quote.js';
import { reproduce } from './reproduce.js';
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
  packageManager: PackageManager;
  /** The files to write; without those that already exist with the same content. */
  files: TemplateFile[];
  /** Those of `files` that replace an existing file. */
  overwritten: string[];
  install: boolean;
  git: boolean;
  /** The git work tree that contains the directory; if there is one, the app does not get its own repository. */
  workTree: string | undefined;
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
  const spec = fwSpec();
  const filled = source.map((file) => fill(file, { templateName: template.name, name, fwSpec: spec }));
  const { conflicts, unchanged } = exists ? compare(directory, filled) : { conflicts: [], unchanged: [] };
  if (conflicts.length > 0 && !request.force) throw conflictError(path, conflicts);
  const env = envToWrite(directory, filled);
  return {
    name,
    template: template.name,
    directory,
    path,
    exists,
    fwSpec: spec,
    packageManager,
    files: [...env, ...filled.filter((file) => !unchanged.includes(file.path))],
    overwritten: conflicts,
    install,
    git: request.git,
    workTree: findWorkTree(directory),
    command: reproduce(request, cwd),
    next: nextSteps(path, packageManager, install),
  };
}

/** An `.env` that exists stays, with `--force` too: its secrets may be in use. */
function envToWrite(directory: string, files: readonly TemplateFile[]): TemplateFile[] {
  const exists = lstatSync(join(directory, envPath), { throwIfNoEntry: false }) !== undefined;
  const file = exists ? undefined : makeEnvFile(files);
  return file === undefined ? [] : [file];
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
  let path = directory;
  while (!existsSync(path)) path = dirname(path);
  path = realpathSync(path);
  for (; ; path = dirname(path)) {
    if (existsSync(join(path, '.git'))) return path;
    if (path === dirname(path)) return undefined;
  }
}

function nextSteps(path: string, manager: PackageManager, install: boolean): string[] {
  return [
    ...(path === '.' ? [] : [`cd ${quote(path)}`]),
    ...(install ? [] : [`${manager} install`]),
    `${manager} run dev`,
  ];
}

/** The directory as the user would type it in `cwd`: the shorter of the relative and the absolute path. */
function shortPath(directory: string, cwd: string): string {
  const path = relative(cwd, directory) || '.';
  return path.length < directory.length ? path : directory;
}

/** The command to type after a failed installation. */
export function retryInstall({ path, packageManager }: Plan): string {
  return `${path === '.' ? '' : `cd ${quote(path)} && `}${packageManager} install`;
}
