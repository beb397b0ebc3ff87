// What was inferred last, in a file: a command that runs again for the same code needs no compiler.

import { createHash, type Hash } from 'node:crypto';
import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type AbsolutePath, isInside } from '../../../framework/files/absolute-path.js';
import { retryBusySync } from '../../../framework/files/retry-busy.js';
import { VERSION } from '../../../framework/version.js';
import { readTsconfig } from '../../config/tsconfig.js';
import type { Inferred } from '../contract.js';
import { isOnlyGiven } from './given-contract.js';

interface Stored extends ProgramFiles {
  /** What the inference was made by and for. */
  readonly key: string;
  readonly state: ProgramState;
  readonly inferred: Inferred;
}

/** A built fw has the same version until it is published. */
const version = `${VERSION} ${statSync(fileURLToPath(import.meta.url)).mtimeMs}`;
/** By how much the time of a change of a file may be behind the clock, in milliseconds. */
const CLOCK_STEP = 20;

export class StoredInference {
  readonly #root: AbsolutePath;
  readonly #generated: readonly AbsolutePath[];
  readonly #file: string;
  readonly #key: string;

  /**
   * @param contract the file that is generated first
   * @param outputs the files of the client
   */
  constructor(root: AbsolutePath, contract: AbsolutePath, outputs: readonly AbsolutePath[]) {
    this.#root = root;
    this.#generated = [contract, ...outputs];
    this.#file = join(root, 'node_modules/.fw/inferred.json');
    this.#key = [version, root, ...this.#generated].join('\n');
  }

  /** Undefined if there is nothing, or if something may have changed since. */
  read(): Inferred | undefined {
    let stored: Stored | null;
    try {
      stored = JSON.parse(readFileSync(this.#file, 'utf8')) as Stored | null;
      return stored?.key === this.#key && isInState(stored, stored.state) ? stored.inferred : undefined;
    } catch (error) {
      if (!(error instanceof SyntaxError) && (error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      // It is missing, or not whole: then the types are inferred, and it is written again.
      return undefined;
    }
  }

  forget(): void {
    retryBusySync(() => rmSync(this.#file, { force: true }));
  }

  /**
   * Writes the file, if what was inferred can be used again.
   *
   * @param files of the program
   * @param since when the compiler began to read them, in milliseconds since 1970
   */
  write(inferred: Inferred, files: readonly AbsolutePath[], since: number): void {
    // A warning may depend on errors in code that changes no type.
    const isSure = inferred.types.warnings.length === 0;
    const program = { root: this.#root, files, ignored: isSure ? this.#ignoredOf(files) : [] };
    const state = isSure ? stateOf(program, since - CLOCK_STEP) : undefined;
    if (state === undefined) {
      this.forget();
      return;
    }
    const stored: Stored = { key: this.#key, ...program, state, inferred };
    const written = `${this.#file}.${process.pid}`;
    try {
      writeFileSync(written, JSON.stringify(stored));
      retryBusySync(() => renameSync(written, this.#file));
    } catch (error) {
      if (typeof (error as NodeJS.ErrnoException).code !== 'string') throw error;
      // There is no space for it: the next command infers again.
      rmSync(written, { force: true });
    }
  }

  /** The generated files whose content changes no type: nothing imports them, or only to give the contract to fw. */
  #ignoredOf(files: readonly AbsolutePath[]): readonly AbsolutePath[] {
    const [contract = ''] = this.#generated;
    const own = files.filter((file) => isOwnCode(file) && !this.#generated.includes(file));
    const texts = own.map((file) => readFileSync(file, 'utf8'));
    return this.#generated.filter((generated) => {
      const [name = ''] = basename(generated).split('.');
      return texts
        .filter((text) => text.includes(name))
        .every((text) => generated === contract && isOnlyGiven(contract, text));
    });
  }
}

function isOwnCode(file: string): boolean {
  return isAbsolute(file) && !/[\\/]node_modules[\\/]/.test(file) && /\.[cm]?[jt]sx?$/.test(file);
}

export interface ProgramFiles {
  readonly root: AbsolutePath;
  /** All files that the compiler has read. */
  readonly files: readonly AbsolutePath[];
  /** Files among them whose content changes no type. */
  readonly ignored: readonly AbsolutePath[];
}

interface ProgramState {
  /** Of the app's own code and settings, which change most often. */
  readonly own: string;
  /** Of packages, and of which files there are. */
  readonly others: string;
}

const FOREIGN = /[\\/]node_modules[\\/]/;

/** Undefined if it cannot be found out, or if one of the app's own files was changed since the time. */
export function stateOf(
  program: ProgramFiles,
  since: number = Number.POSITIVE_INFINITY,
): ProgramState | undefined {
  const own = ownState(program, since);
  if (own === undefined) return undefined;
  const others = othersState(program);
  return others === undefined ? undefined : { own, others };
}

/** Whether nothing has changed. */
export function isInState(program: ProgramFiles, state: ProgramState): boolean {
  return ownState(program, Number.POSITIVE_INFINITY) === state.own && othersState(program) === state.others;
}

/** By content: a checkout of the same revision, for example, makes new files of the same text. */
function ownState({ root, files, ignored }: ProgramFiles, since: number): string | undefined {
  return hashOf((hash) => {
    const settings = settingsOf(join(root, 'tsconfig.json'));
    const own = files.filter((file) => isAbsolute(file) && !FOREIGN.test(file) && !ignored.includes(file));
    for (const file of [...settings, ...packageFiles(own), ...own]) {
      // A change while the compiler was reading may have come after it has read the file.
      if (changedAt(file) >= since) throw new UnknownState(`${file} was changed`);
      add(hash, file, readFileSync(file));
    }
  });
}

/** By the state of the files: packages are installed anew, not edited. */
function othersState({ root, files }: ProgramFiles): string | undefined {
  return hashOf((hash) => {
    const outside = new Set<string>();
    const packages = new Set<string>();
    for (const file of files.filter(isAbsolute)) {
      if (FOREIGN.test(file)) {
        add(hash, file, identityOf(file));
        packages.add(join(packageOf(file), 'package.json'));
      } else if (!isInside(root, file)) outside.add(dirname(file));
    }
    packages.add(createRequire(join(root, 'package.json')).resolve('typescript/package.json'));
    for (const file of packages) add(hash, file, identityOf(file));
    for (const folder of upwards(root)) {
      for (const name of installed) add(hash, name, identityOf(join(folder, name)));
    }
    const names = [...namesBelow(root), ...[...outside].flatMap(namesIn)];
    add(hash, 'names', names.sort().join('\n'));
  });
}

/** What changes when packages are added or removed. */
const installed = [
  'node_modules',
  'node_modules/@types',
  'node_modules/.package-lock.json',
  'node_modules/.modules.yaml',
  'node_modules/.yarn-integrity',
  'node_modules/.yarn-state.yml',
  'package-lock.json',
  'pnpm-lock.yaml',
  'yarn.lock',
  'bun.lock',
];

/** Undefined if a file is missing or cannot be read, of which the compiler knows more. */
function hashOf(fill: (hash: Hash) => void): string | undefined {
  const hash = createHash('sha256');
  try {
    fill(hash);
  } catch (error) {
    if (error instanceof UnknownState || typeof (error as NodeJS.ErrnoException).code === 'string')
      return undefined;
    throw error;
  }
  return hash.digest('hex');
}

/** With lengths, so that no two lists give the same text. */
function add(hash: Hash, name: string, content: string | Buffer): void {
  hash.update(`${name.length} ${name} ${content.length} `).update(content);
}

/** The file, and those that it extends or references. @throws Error if one of them cannot be found */
function settingsOf(file: string): string[] {
  const list = [file];
  // A list that grows meanwhile.
  for (const one of list) {
    const { extends: bases = [], references = [] } = readTsconfig(one);
    const paths = [references]
      .flat()
      .map((reference) => String((reference as { path?: unknown } | null)?.path));
    const found = [
      ...[bases].flat().map((name) => extendedFile(String(name), one)),
      ...paths.map((path) => referencedFile(resolve(dirname(one), path))),
    ];
    list.push(...found.filter((other) => !list.includes(other)));
  }
  return list;
}

function referencedFile(path: string): string {
  return statSync(path).isDirectory() ? join(path, 'tsconfig.json') : path;
}

function extendedFile(name: string, by: string): string {
  if (!/^\.{0,2}[\\/]/.test(name) && !isAbsolute(name)) {
    const find = createRequire(by);
    try {
      return find.resolve(name);
    } catch {
      return find.resolve(`${name}/tsconfig.json`);
    }
  }
  const path = resolve(dirname(by), name);
  return path.endsWith('.json') ? path : `${path}.json`;
}

/** The nearest package.json of each file: it says whether the file is an ES module, and what imports of it mean. */
function packageFiles(files: readonly string[]): string[] {
  const found = new Map<string, string | undefined>();
  const nearest = (folder: string): string | undefined => {
    if (!found.has(folder)) {
      const file = join(folder, 'package.json');
      const above = dirname(folder);
      const isThere = statSync(file, { throwIfNoEntry: false }) !== undefined;
      found.set(folder, isThere ? file : above === folder ? undefined : nearest(above));
    }
    return found.get(folder);
  };
  return [...new Set(files.flatMap((file) => nearest(dirname(file)) ?? []))];
}

/** The folder of the package that a file belongs to. */
function packageOf(file: string): string {
  const [folder = ''] = /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(file) ?? [];
  return folder;
}

/** What no program can give a changed file again: the time of the change of its inode is set by the system alone. */
function identityOf(file: string): string {
  const stat = statSync(file, { bigint: true, throwIfNoEntry: false });
  return stat === undefined
    ? ''
    : `${stat.ino} ${stat.size} ${stat.mtimeNs} ${stat.isDirectory() ? '' : stat.ctimeNs}`;
}

function changedAt(file: string): number {
  const { mtimeMs, ctimeMs } = statSync(file);
  return Math.max(mtimeMs, ctimeMs);
}

function upwards(folder: string): string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...upwards(above)];
}

const RESOLVABLE = /\.[cm]?[jt]sx?$|^(?:package|tsconfig.*)\.json$/;

/** Why the state of a program cannot be known. */
class UnknownState extends Error {}

/** Of a folder and all folders below it, except for packages and hidden ones. @throws UnknownState if there are too many */
export function namesBelow(root: string, most: number = 20_000): string[] {
  const all: string[] = [];
  const folders = [root];
  let seen = 0;
  // A list that grows meanwhile.
  for (const folder of folders) {
    const { names, below, count } = entriesOf(folder);
    seen += count;
    // Looking at them would take longer than it saves.
    if (seen > most) throw new UnknownState(`${root} has more than ${most} files`);
    all.push(...names);
    folders.push(...below);
  }
  return all;
}

/** Of one folder. */
function namesIn(folder: string): string[] {
  return entriesOf(folder).names;
}

function entriesOf(folder: string): { names: string[]; below: string[]; count: number } {
  const entries = readdirSync(folder, { withFileTypes: true });
  const paths = (fits: (entry: (typeof entries)[number]) => boolean): string[] =>
    entries.filter(fits).map(({ name }) => join(folder, name));
  return {
    names: paths((entry) => !entry.isDirectory() && RESOLVABLE.test(entry.name)),
    below: paths(
      (entry) => entry.isDirectory() && entry.name !== 'node_modules' && !entry.name.startsWith('.'),
    ),
    count: entries.length,
  };
}
