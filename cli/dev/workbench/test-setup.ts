// Finds out how tests of the project get its App, for tests that the page about the app writes.
import { readFileSync, statSync } from 'node:fs';
import { basename, dirname, extname, join, relative, resolve } from 'node:path';
import type { TestSetup } from './protocol.js';

/** Longer files are not looked into. */
const LONGEST_FILE = 1024 * 1024;
const EXTENSIONS = ['.ts', '.mts', '.tsx', '.js', '.mjs'];
/** In the order in which they are looked for, beside the entry of the app. */
const PLACES: readonly (readonly [name: string, gives: Known])[] = [
  ['test-app', 'testApp'],
  ['app', 'app'],
  ['app', 'default'],
];

type Known = Exclude<TestSetup['gives'], 'unknown'>;

/** How a file exports it. */
const EXPORTED: Readonly<Record<Known, RegExp>> = {
  testApp: /^export (?:async function|function|const) testApp\b/m,
  app: /^export const app\b|^export \{[^}]{0,500}\bapp\b[^}]{0,500}\}/m,
  default: /^export default (?:app|new App)\b/m,
};

/** @param entry the file that `fw dev` runs */
export function testSetup(root: string, entry: string): TestSetup {
  const runner = runnerOf(root);
  const folder = dirname(entry);
  for (const [name, gives] of PLACES) {
    const file = EXTENSIONS.map((extension) => join(folder, name + extension)).find((one) =>
      isExporting(one, gives),
    );
    if (file !== undefined)
      return { runner, gives, file: shownFile(root, file), module: moduleOf(root, file) };
  }
  for (const [file, gives] of importedBy(entry)) {
    if (isExporting(file, gives))
      return { runner, gives, file: shownFile(root, file), module: moduleOf(root, file) };
  }
  const guess = join(folder, `app${extname(entry)}`);
  return {
    runner,
    gives: 'unknown',
    file: shownFile(root, guess),
    module: moduleOf(root, guess),
    entry: shownFile(root, entry),
  };
}

/** The files from which the entry imports something that is called `app`. */
function importedBy(entry: string): (readonly [file: string, gives: 'app' | 'default'])[] {
  const folder = dirname(entry);
  const found: (readonly [string, 'app' | 'default'])[] = [];
  for (const [, names = '', from = ''] of textOf(entry).matchAll(IMPORT)) {
    const gives = /^\{(?:.{0,500}[\s,])?app[\s,]?/s.test(names)
      ? 'app'
      : names.trim() === 'app'
        ? 'default'
        : undefined;
    if (gives === undefined) continue;
    const path = resolve(folder, from);
    const plain = path.slice(0, path.length - extname(path).length);
    for (const one of [path, ...EXTENSIONS.flatMap((extension) => [plain + extension, path + extension])])
      found.push([one, gives]);
  }
  return found;
}

/** An import of a file of the app, by its relative path. */
const IMPORT = /^import ([\w*]{1,100}|\{[^{}]{0,500}\}) from ['"](\.{1,2}\/[^'"\n]{1,500})['"]/gm;

function isExporting(file: string, gives: Known): boolean {
  return EXPORTED[gives].test(textOf(file));
}

function shownFile(root: string, file: string): string {
  return relative(root, file).replaceAll('\\', '/');
}

/** Whether TypeScript accepts the extension of its own files is a setting of the project. */
function moduleOf(root: string, file: string): string {
  const extension = extname(file);
  const hasOwn =
    !/^\.m?tsx?$/.test(extension) ||
    /"(?:allowImportingTsExtensions|rewriteRelativeImportExtensions)"[ \t]*:[ \t]*true/.test(
      textOf(join(root, 'tsconfig.json')),
    );
  return `./${basename(file, extension)}${hasOwn ? extension : extension.replace(/tsx?$/, 'js')}`;
}

/** Vitest unless the project has none. */
function runnerOf(root: string): TestSetup['runner'] {
  const text = textOf(join(root, 'package.json'));
  return text === '' || /"vitest"[ \t]*:/.test(text) ? 'vitest' : 'node:test';
}

/** Empty for a file that cannot be read. */
function textOf(file: string): string {
  try {
    const { size } = statSync(file);
    return size > LONGEST_FILE ? '' : readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
