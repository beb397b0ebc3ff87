// The directory of the new app: checks its path and the files that it already contains.
import { lstatSync, readFileSync, type Stats } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { CliError, UsageError } from '../terminal/errors.js';
import { directoryNameProblem, packageNameProblem, shown, suggestName } from './name.js';
import { quote } from './quote.js';
import type { TemplateFile } from './templates.js';

export interface Target {
  /** Absolute. */
  directory: string;
  /** The package's name. */
  name: string;
  exists: boolean;
}

/**
 * Checks the argument of `fw new <argument>`; `nameFlag` replaces the name taken from the directory.
 * @throws UsageError for an invalid name, CliError for a file or a symbolic link in the way
 */
export function resolveTarget(argument: string, nameFlag: string | undefined, cwd: string): Target {
  if (argument.trim() === '') throw new UsageError('the name is empty', 'for example: fw new my-app');
  if (/^@[^/\\]+\/[^/\\]+$/.test(argument)) {
    const directory = argument.slice(argument.indexOf('/') + 1);
    throw new UsageError(
      `${shown(argument)} is a scoped package name, not a directory`,
      `give both: fw new ${quote(directory)} --name ${quote(argument)}`,
    );
  }
  if (argument.startsWith('-')) {
    throw new UsageError(
      `the name ${shown(argument)} begins with -, which the commands that follow take for an option`,
      `try: fw new ${suggestName(basename(argument))}`,
    );
  }
  const directory = resolve(cwd, argument);
  const exists = checkPath(directory, argument);
  return { directory, name: checkName(nameFlag, directory, argument, exists), exists };
}

function checkName(flag: string | undefined, directory: string, argument: string, exists: boolean): string {
  const name = flag ?? basename(directory);
  const problem = packageNameProblem(name);
  if (!problem) return name;
  const suggestion = suggestName(name.replace(/^@[^/]*\//, ''));
  const retry =
    flag !== undefined || exists ? `${quote(argument)} --name ${suggestion}` : beside(argument, suggestion);
  throw new UsageError(`${shown(name)} is not a valid package name: ${problem}`, `try: fw new ${retry}`);
}

/** The argument with another last segment. */
function beside(argument: string, name: string): string {
  return quote(join(dirname(argument), name));
}

/** Whether the directory exists; refuses files and links in the way, and invalid names of directories to create. */
function checkPath(directory: string, argument: string): boolean {
  const stat = statOf(directory);
  if (stat?.isDirectory()) return true;
  if (stat) throw inTheWay(directory, stat);
  for (let path = directory; ; path = dirname(path)) {
    const found = path === directory ? undefined : statOf(path);
    if (found?.isDirectory() || found?.isSymbolicLink()) return false;
    if (found) throw inTheWay(path, found);
    if (path === dirname(path)) {
      throw new UsageError(
        `${shown(argument)} is on ${shown(path)}, which does not exist`,
        'give a directory on a drive or a share that exists, for example: fw new my-app',
      );
    }
    const problem = directoryNameProblem(basename(path));
    if (problem) {
      const better =
        path === directory ? beside(argument, suggestName(basename(path))) : suggestName(basename(path));
      throw new UsageError(
        `${shown(basename(path))}${path === directory ? '' : ` in ${shown(argument)}`} cannot be a directory's name: ${problem}`,
        `try: fw new ${better}`,
      );
    }
  }
}

function inTheWay(path: string, stat: Stats): CliError {
  if (stat.isSymbolicLink()) {
    return new CliError(`${path} is a symbolic link`, {
      help: 'give the path that it points to, or another name',
    });
  }
  return new CliError(`${path} is a file, not a directory`, {
    help: 'choose another name, or move the file away',
  });
}

export interface Differences {
  /** Files that exist with other content. */
  conflicts: string[];
  /** Files that exist with the same content. */
  unchanged: string[];
}

/** Compares the files to write with those in the directory. */
export function compare(directory: string, files: readonly TemplateFile[]): Differences {
  const differences: Differences = { conflicts: [], unchanged: [] };
  for (const file of files) {
    checkParents(directory, file.path);
    const path = join(directory, file.path);
    const stat = statOf(path);
    if (!stat) continue;
    if (stat.isDirectory()) {
      throw new CliError(`${path} is a directory, and the template has a file of that name`, {
        help: 'move it away, or choose another directory',
      });
    }
    const same = stat.isFile() && isSame(readFileSync(path), Buffer.from(file.content));
    differences[same ? 'unchanged' : 'conflicts'].push(file.path);
  }
  return differences;
}

/** Git may have checked a text out with other line ends. */
function isSame(present: Buffer, content: Buffer): boolean {
  if (present.equals(content)) return true;
  return (
    !content.includes(0) && present.toString('latin1').replaceAll('\r\n', '\n') === content.toString('latin1')
  );
}

/** A link among a file's parents would lead the write out of the directory. */
function checkParents(directory: string, path: string): void {
  const segments = path.split('/').slice(0, -1);
  for (let count = 1; count <= segments.length; count++) {
    const parent = join(directory, ...segments.slice(0, count));
    const stat = statOf(parent);
    if (stat && !stat.isDirectory()) throw inTheWay(parent, stat);
  }
}

function statOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    // The caller reports a file among the parents (ENOTDIR) and a name that is too long itself.
    if (
      error instanceof Error &&
      'code' in error &&
      ['ENOTDIR', 'ENAMETOOLONG'].includes(String(error.code))
    ) {
      return undefined;
    }
    throw new CliError(`cannot read ${path}: ${error instanceof Error ? error.message : error}`, {
      cause: error,
    });
  }
}
