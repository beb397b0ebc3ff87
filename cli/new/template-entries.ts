// What a template may be besides one of `fw`: a path, and behind it entries that are checked to be files of an app.
import { posix } from 'node:path';
import { CliError } from '../terminal/errors.js';
import { directoryNameProblem, shown } from './name.js';
import { isLeftover, renamed, type TemplateFile } from './templates.js';

export interface Entry {
  /** As the source has it, with `/`; a hostile archive may have anything here. */
  readonly path: string;
  readonly kind: 'file' | 'folder' | 'symbolic link' | 'hard link' | 'device or pipe';
  readonly size: number;
  readonly executable: boolean;
  /** Of a link. */
  readonly target?: string;
  read(): Uint8Array;
}

/** Whether `--template` is given a path and not the name of one of these templates. */
export function isTemplatePath(value: string): boolean {
  return /^[.~]|[\\/]|^[a-z]:|\.(?:tar|tgz|zip|gz)$/i.test(value);
}

/** More than any app begins with, and little enough to hold in memory. */
export const MOST_FILES = 10_000;
export const MOST_BYTES = 100_000_000;

/** Lock files have the hash of the tarball of fw that the template had, which an app gets anew. */
const lockFiles = new Set(['npm-shrinkwrap.json', 'pnpm-lock.yaml', 'yarn.lock', 'bun.lock', 'bun.lockb']);
const OWN_SECRETS = /^\.env(?:\.\w+)?\.local$/;
const CARRIED_FW = /^vendor\/fw-[^/]*\.tgz$/;

/**
 * The files of the app, sorted, under the names that they have there.
 * @param source as the user typed it, for messages
 * @throws CliError for names, links and sizes that no template has
 */
export function templateFiles(entries: readonly Entry[], source: string): TemplateFile[] {
  const found = entries.flatMap((entry) => {
    const path = insidePath(entry.path, source);
    return path === '' ? [] : [{ ...entry, path }];
  });
  const kept = withoutTopFolder(found).filter(({ path }) => !isLeftOut(path));
  const files = new Map<string, Entry>();
  for (const entry of kept) {
    checkNames(entry.path, source);
    if (entry.kind === 'folder') continue;
    if (entry.kind === 'device or pipe' || entry.kind === 'hard link') {
      throw refused(
        source,
        `${shown(entry.path)} is a ${entry.kind}`,
        'a template has files and folders alone',
      );
    }
    if (files.has(entry.path)) throw refused(source, `${shown(entry.path)} is in it twice`);
    files.set(entry.path, entry);
  }
  checkBounds(files, source);
  return named(files, source).sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Whether a file or a folder is not part of a template, by its path in it. */
export function isLeftOut(path: string): boolean {
  const segments = path.split('/').map((segment) => segment.toLowerCase());
  return (
    segments.some((one) => isLeftover(one) || lockFiles.has(one) || OWN_SECRETS.test(one)) ||
    CARRIED_FW.test(path)
  );
}

export function tooMany(source: string): CliError {
  return refused(source, `it has more than ${MOST_FILES} files`, 'give the folder of the template alone');
}

export function refused(source: string, problem: string, help?: string): CliError {
  return new CliError(`${shown(source)} cannot be a template: ${problem}`, {
    help: help ?? 'rename it or leave it out of the template',
  });
}

/** As long as paths of macOS may be, and short enough for all expressions here. */
const LONGEST_PATH = 1000;

/** Without `./` before and `/` after it; empty for the root. */
function insidePath(path: string, source: string): string {
  if (path.length > LONGEST_PATH) {
    throw refused(source, `the path ${shown(path)} has more than ${LONGEST_PATH} characters`);
  }
  const isAbsolute = /^[\\/]|^[a-z]:[\\/]/i.test(path);
  if (isAbsolute || path.split(/[\\/]/).includes('..')) {
    throw refused(
      source,
      `${shown(path)} leads out of it`,
      'do not use it: such an archive was made to overwrite files elsewhere',
    );
  }
  return path
    .replace(/^(?:\.\/+)+/, '')
    .replace(/\/+$/, '')
    .replace(/^\.$/, '');
}

/** Archives that sites make of a repository have all of it in one folder. */
function withoutTopFolder(entries: readonly Entry[]): readonly Entry[] {
  const [first] = entries;
  const prefix = `${first?.path.split('/')[0]}/`;
  const isBelow = ({ path }: Entry): boolean => path.startsWith(prefix) || `${path}/` === prefix;
  if (!entries.some(({ path }) => path === `${prefix}package.json`) || !entries.every(isBelow))
    return entries;
  return entries
    .filter(({ path }) => path.length > prefix.length)
    .map((entry) => ({ ...entry, path: entry.path.slice(prefix.length) }));
}

function checkNames(path: string, source: string): void {
  for (const segment of path.split('/')) {
    const problem = nameProblem(segment);
    if (problem !== undefined) {
      throw refused(source, `${shown(path)} would not work on every system: ${problem}`);
    }
  }
}

function nameProblem(segment: string): string | undefined {
  if (segment === '' || segment === '.') return 'a part of it has no name';
  // The short name of .git on Windows.
  if (/^git~\d/i.test(segment)) return 'it is a name of .git on Windows';
  return directoryNameProblem(segment);
}

function checkBounds(files: ReadonlyMap<string, Entry>, source: string): void {
  if (files.size > MOST_FILES) throw tooMany(source);
  const bytes = [...files.values()].reduce((sum, { size }) => sum + size, 0);
  if (bytes > MOST_BYTES) {
    throw refused(
      source,
      `its files have more than ${MOST_BYTES / 1e6} MB`,
      'leave the largest ones out of it',
    );
  }
}

/** Refuses what systems that do not tell upper from lower case would take for one file, and a file that is a folder too. */
function named(files: ReadonlyMap<string, Entry>, source: string): TemplateFile[] {
  const seen = new Map<string, string>();
  const folders = new Map<string, string>();
  const made = [...files.values()].map((entry) => {
    const { content, executable } = contentOf(entry, files, source);
    const base = posix.basename(entry.path);
    const path = posix.join(posix.dirname(entry.path), renamed[base] ?? base);
    const other = seen.get(folded(path));
    if (other !== undefined)
      throw refused(source, `${shown(other)} and ${shown(entry.path)} would be the same file`);
    seen.set(folded(path), entry.path);
    for (let above = posix.dirname(path); above !== '.'; above = posix.dirname(above)) {
      folders.set(folded(above), entry.path);
    }
    return { path, content, executable };
  });
  for (const [path, shownPath] of seen) {
    const below = folders.get(path);
    if (below !== undefined) {
      throw refused(source, `${shown(shownPath)} is a file, and a folder of ${shown(below)}`);
    }
  }
  return made;
}

function folded(path: string): string {
  return path.normalize('NFC').toLowerCase();
}

/** That of a symbolic link is a copy of the file that it leads to: Windows makes no links without a right to. */
function contentOf(
  entry: Entry,
  files: ReadonlyMap<string, Entry>,
  source: string,
): Omit<TemplateFile, 'path'> {
  const { path, kind, target = '' } = entry;
  if (kind === 'file') return { content: entry.read(), executable: entry.executable };
  const meant = files.get(posix.join(posix.dirname(path), target));
  if (meant?.kind !== 'file') {
    throw refused(
      source,
      `the symbolic link ${shown(path)} leads to ${shown(target)}, which is not a file of the template`,
      'put the file itself there, or leave the link out',
    );
  }
  return { content: meant.read(), executable: meant.executable };
}
