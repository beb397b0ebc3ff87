// Keeps the declarations that the published entries reach, and the sources that "go to definition" leads to.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/**
 * @param types the folder of all declarations
 * @param sources where the sources of the kept ones are copied to. It is not beside the declarations: TypeScript
 * would compile a source instead of reading the declaration beside it.
 * @param entries such as `rpc/index.ts`
 */
export function keepPublicTypes(
  types: string,
  sources: string,
  root: string,
  entries: readonly string[],
): void {
  const kept = new Set<string>();
  const named = new Set<string>();
  for (const entry of entries) {
    const file = join(types, entry.replace(/\.ts$/, '.d.ts'));
    reach(file, kept);
    reachNamed(file, named);
  }
  for (const name of readdirSync(types, { recursive: true, encoding: 'utf8' })) {
    const file = join(types, name);
    if (!/\.d\.ts(?:\.map)?$/.test(name)) continue;
    const declarations = file.replace(/\.map$/, '');
    if (!kept.has(declarations)) rmSync(file);
    else if (!named.has(declarations) || name.startsWith(RUNTIME)) withoutMap(file);
    else if (name.endsWith('.map')) moveSource(file, types, sources, root);
  }
}

/** The run time of clients: its text is in the package for standalone clients already, and no user calls it. */
const RUNTIME = join('client', 'runtime');

const ANY_IMPORT = /(?:from |import |import\()["'](\.[^"']+)\.js["']/g;

/** All declarations that are needed to compile the file. */
function reach(file: string, found: Set<string>): void {
  if (found.has(file) || !existsSync(file)) return;
  found.add(file);
  for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(ANY_IMPORT)) {
    reach(join(dirname(file), `${path}.d.ts`), found);
  }
}

/** `export { a, type B } from './file.js'` and `import { C } from './file.js'`, without those of types alone. */
const VALUES_FROM = /^(export|import) (?!type )([^;]*?) from ["'](\.[^"']+)\.js["']/gm;

/** Where public values are declared, and the classes that they extend: what a user is led to. */
function reachNamed(file: string, found: Set<string>): void {
  if (found.has(file) || !existsSync(file)) return;
  found.add(file);
  const text = readFileSync(file, 'utf8');
  const bases = new Set([...text.matchAll(/ extends (\w+)/g)].map(([, name]) => name));
  for (const [, kind, clause = '', path = ''] of text.matchAll(VALUES_FROM)) {
    const names = clause.match(/\w+/g) ?? [];
    if (kind === 'import' && !names.some((name) => bases.has(name))) continue;
    reachNamed(join(dirname(file), `${path}.d.ts`), found);
  }
}

/** Removes the map, or the line that leads to it: the package would have to hold the source too. */
function withoutMap(file: string): void {
  if (file.endsWith('.map')) rmSync(file);
  else writeFileSync(file, readFileSync(file, 'utf8').replace(/^\/\/# sourceMappingURL=.*\n?/m, ''));
}

/** Copies the source of a declaration map, and makes the map lead to the copy. */
function moveSource(map: string, types: string, sources: string, root: string): void {
  const { version, file, mappings } = JSON.parse(readFileSync(map, 'utf8'));
  const name = relative(types, map).replace(/\.d\.ts\.map$/, '.ts');
  const copy = join(sources, name);
  mkdirSync(dirname(copy), { recursive: true });
  cpSync(join(root, name), copy);
  writeFileSync(map, JSON.stringify({ version, file, mappings, sources: [relative(dirname(map), copy)] }));
}
