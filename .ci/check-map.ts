// Holds the map in CONTRIBUTING.md: npm run check:map. Every folder of framework/ and cli/ has its line in the tree, and
// every path that the text names exists.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sourceFiles } from './source-imports.js';

const root = process.argv[2] ?? fileURLToPath(new URL('..', import.meta.url));
const text = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
const listed = foldersOfTree();
const folders = foldersOfSources();
const faults = [
  ...[...folders]
    .filter((folder) => !listed.has(folder))
    .map((folder) => `${folder} has no line in the tree of CONTRIBUTING.md: say there what it holds`),
  ...[...listed]
    .filter((folder) => !isFolder(folder))
    .map((folder) => `${folder} is in the tree of CONTRIBUTING.md, and does not exist: remove its line`),
  ...missingPaths(),
];
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exit(1);
console.log(`${folders.size} folders have their line, and every path in CONTRIBUTING.md exists`);

/** The lines of the block after `<!-- tree -->`, such as `  http/   messages`, indented by two spaces a level. */
function foldersOfTree(): ReadonlySet<string> {
  const block = /<!-- tree -->\n+```[a-z]*\n([\s\S]*?)```/.exec(text)?.[1] ?? '';
  const found = new Set<string>();
  const above: string[] = [];
  for (const line of block.split('\n')) {
    const named = /^( *)([\w.-]+(?:\/[\w.-]+)*)\/ /.exec(line);
    if (named === null) continue;
    const [, indent = '', name = ''] = named;
    above.length = indent.length / 2;
    above.push(name);
    found.add(above.join('/'));
  }
  return found;
}

/** Those with sources, and those above them. */
function foldersOfSources(): ReadonlySet<string> {
  const found = new Set<string>();
  for (const file of sourceFiles(root)) {
    for (let folder = dirname(file); folder !== '.'; folder = dirname(folder)) found.add(folder);
  }
  return found;
}

/** In code of the text, outside of the tree: what begins with a folder of the repository. */
function missingPaths(): string[] {
  const paths = [...text.matchAll(/`((?:framework|cli|templates|e2e|\.ci)\/[\w./-]*[\w/])`/g)].map(
    ([, path = '']) => path,
  );
  return [...new Set(paths)]
    .filter((path) => !existsSync(join(root, path)))
    .map((path) => `CONTRIBUTING.md names ${path}, which does not exist: correct the path`);
}

function isFolder(path: string): boolean {
  return statSync(join(root, path), { throwIfNoEntry: false })?.isDirectory() === true;
}
