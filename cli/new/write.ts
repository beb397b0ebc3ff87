// Writes the planned files, all or none: to a staging directory, then renamed; undone after any failure.
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { retryBusySync } from '../../framework/files/retry-busy.js';
import { CliError } from '../terminal/errors.js';
import type { TemplateFile } from './templates.js';
import { LeftError, madeDirectories, remove, Undo } from './undo.js';

/** The written files, until they are kept or removed. */
export interface Written {
  /** Restores the previous state, and removes what the later steps created in the directory; returns the first failure. */
  undo(): unknown;
  /** Keeps the files; they cannot be undone any more. */
  keep(): void;
}

/** What the installation and `git init` create; `undo` removes it if it did not exist before. */
const madeLater = [
  'node_modules',
  '.git',
  'package-lock.json',
  'pnpm-lock.yaml',
  'yarn.lock',
  'bun.lock',
  'bun.lockb',
  '.yarn',
  '.pnp.cjs',
  '.pnp.loader.mjs',
];

export function write(directory: string, exists: boolean, files: readonly TemplateFile[]): Written {
  try {
    return exists ? writeInto(directory, files) : writeNew(directory, files);
  } catch (error) {
    throw writeError(error, directory);
  }
}

/** A directory that does not exist yet: staged as its sibling, then renamed in one step. */
function writeNew(directory: string, files: readonly TemplateFile[]): Written {
  const undo = new Undo();
  undo.guard(() => {
    const parent = dirname(directory);
    makeDirectories(parent, undo);
    const staging = mkdtempSync(join(parent, `.${basename(directory).slice(0, 100)}-`));
    undo.add(() => remove(staging));
    // The directory of mkdtemp is private to this user (mode 0700); the app gets the usual mode.
    const app = join(staging, 'app');
    mkdirSync(app);
    writeFiles(app, files);
    retryBusySync(() => renameNew(app, directory));
    undo.add(() => remove(directory));
    retryBusySync(() => rmdirSync(staging));
  });
  return { undo: () => undo.run(), keep: () => {} };
}

/** Windows has the same code for a directory that is there as for one that a program has open. */
function renameNew(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (!existsSync(to)) throw error;
    throw Object.assign(new Error(`${to} exists`, { cause: error }), { code: 'EEXIST' });
  }
}

/** A directory that exists: staged inside it (its parent may be on another disk), then moved file by file. */
function writeInto(directory: string, files: readonly TemplateFile[]): Written {
  const undo = new Undo();
  const staging = mkdtempSync(join(directory, '.fw-new-'));
  undo.add(() => remove(staging));
  undo.guard(() => {
    const absent = madeLater.map((name) => join(directory, name)).filter((path) => !existsSync(path));
    undo.add(() => absent.forEach(remove));
    const fresh = join(staging, 'new');
    writeFiles(fresh, files);
    for (const { path } of files) {
      moveFile(join(fresh, path), join(directory, path), join(staging, 'old', path), undo);
    }
  });
  return { undo: () => undo.run(), keep: () => remove(staging) };
}

/** Moves one staged file to its destination; a file that it replaces is kept in `saved` until the end. */
function moveFile(staged: string, destination: string, saved: string, undo: Undo): void {
  makeDirectories(dirname(destination), undo);
  if (existsSync(destination)) {
    mkdirSync(dirname(saved), { recursive: true });
    retryBusySync(() => renameSync(destination, saved));
    undo.add(() => retryBusySync(() => renameSync(saved, destination)));
  }
  retryBusySync(() => renameSync(staged, destination));
  undo.add(() => retryBusySync(() => rmSync(destination)));
}

function makeDirectories(path: string, undo: Undo): void {
  const first = mkdirSync(path, { recursive: true });
  for (const made of madeDirectories(first, path)) undo.add(() => retryBusySync(() => rmdirSync(made)));
}

function writeFiles(directory: string, files: readonly TemplateFile[]): void {
  for (const file of files) {
    const path = join(directory, file.path);
    mkdirSync(dirname(path), { recursive: true });
    const mode = file.isSecret ? 0o600 : file.executable ? 0o777 : 0o666;
    writeFileSync(path, file.content, { mode, flag: 'wx' });
  }
}

function writeError(error: unknown, directory: string): CliError {
  if (error instanceof LeftError) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const reason = reasons[code] ?? (error instanceof Error ? error.message : String(error));
  return new CliError(`cannot write ${directory}: ${reason}`, {
    help: remedies[code] ?? 'nothing was left behind; choose another directory',
    cause: error,
  });
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'not permitted',
  ENOENT: 'this file system does not accept new files',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  ENOTEMPTY: 'another program created it in the meantime',
  EEXIST: 'another program created it in the meantime',
  ENAMETOOLONG: 'the path is too long',
};

const remedies: Readonly<Record<string, string>> = {
  ENOSPC: 'nothing was left behind; free some space and run it again',
  EACCES: 'nothing was left behind; choose a directory that you may write to',
};
