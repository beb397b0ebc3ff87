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
    reach(file, ANY_IMPORT, kept);
    reach(file, VALUE_IMPORT, named);
  }
  for (const name of readdirSync(types, { recursive: true, encoding: 'utf8' })) {
    const file = join(types, name);
    if (!/\.d\.ts(?:\.map)?$/.test(name)) continue;
    const declarations = file.replace(/\.map$/, '');
    if (!kept.has(declarations)) rmSync(file);
    else if (!named.has(declarations)) withoutMap(file);
    else if (name.endsWith('.map')) moveSource(file, types, sources, root);
  }
}

const ANY_IMPORT = /(?:from |import |import\()["'](\.[^"']+)\.js["']/g;
/** Public names and the classes that they extend. Types that only describe them are for the compiler. */
const VALUE_IMPORT = /^(?:export|import) (?!type )[^;]*? from ["'](\.[^"']+)\.js["']/gm;

function reach(file: string, imports: RegExp, found: Set<string>): void {
  if (found.has(file) || !existsSync(file)) return;
  found.add(file);
  for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(imports)) {
    reach(join(dirname(file), `${path}.d.ts`), imports, found);
  }
}

/** Removes the map, or the line that leads to it: the package would have to hold the source too. */
function withoutMap(file: string): void {
  if (file.endsWith('.map')) rmSync(file);
  else writeFileSync(file, readFileSync(file, 'utf8').replace(/^\/\/# sourceMappingURL=.*\n?/m, ''));
}

/** Copies the source of a declaration map, and makes the map lead to the copy. */
function moveSource(map: string, types: string, sources: string, root: string): void {
  const content = JSON.parse(readFileSync(map, 'utf8')) as { sources: string[] };
  const name = relative(types, map).replace(/\.d\.ts\.map$/, '.ts');
  const copy = join(sources, name);
  mkdirSync(dirname(copy), { recursive: true });
  cpSync(join(root, name), copy);
  writeFileSync(map, JSON.stringify({ ...content, sources: [relative(dirname(map), copy)] }));
}
