// Which file an import has most likely meant that leads to none.
import { readdirSync } from 'node:fs';
import { basename, dirname, extname } from 'node:path';
import { nearest } from '../../framework/options/nearest.js';

const SOURCE = /\.(?:[cm]?[jt]s|[jt]sx|json)$/;

/** Endings that compilers take instead of one. */
const STAND_FOR: ReadonlyMap<string, readonly string[]> = new Map([
  ['.js', ['.js', '.ts', '.tsx', '.jsx']],
  ['.mjs', ['.mjs', '.mts']],
  ['.cjs', ['.cjs', '.cts']],
]);

/** Endings that compilers find when an import leaves them out. */
const FOUND_WITHOUT = /\.(?:[jt]sx?|json)$/;

/** The file name that `path`, which does not exist, should end with; undefined if no file is near enough. */
export function meantFile(path: string): string | undefined {
  const name = basename(path);
  const names = namesIn(dirname(path));
  const sources = names.filter((one) => SOURCE.test(one) && !/\.d\.[cm]?ts$/.test(one));
  const bare = name.replace(SOURCE, '');
  const same = sources.find((one) => [name, bare].includes(stemOf(one)));
  if (same !== undefined) return same;
  const ending = extname(name);
  const isEnding = SOURCE.test(name) || names.some((one) => extname(one) === ending);
  if (ending !== '' && isEnding) {
    const endings = STAND_FOR.get(ending) ?? [ending];
    const alike = names.filter((one) => endings.includes(extname(one)));
    // The ending is the same: it must not make names look alike that are short.
    const meant = nearest(basename(name, ending), alike.map(stemOf).filter(isNoTest));
    return meant === undefined ? undefined : meant + ending;
  }
  const meant = nearest(name, sources.map(stemOf).filter(isNoTest));
  const file = sources.find((one) => stemOf(one) === meant);
  return file !== undefined && FOUND_WITHOUT.test(file) ? meant : file;
}

function stemOf(name: string): string {
  return basename(name, extname(name));
}

function isNoTest(stem: string): boolean {
  return !/\.(?:test|spec)$/.test(stem);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // The folder is the part that is wrong.
    return [];
  }
}
