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
  for (const entry of entries) reach(join(types, entry.replace(/\.ts$/, '.d.ts')), kept);
  for (const name of readdirSync(types, { recursive: true, encoding: 'utf8' })) {
    const file = join(types, name);
    if (!/\.d\.ts(?:\.map)?$/.test(name)) continue;
    if (!kept.has(file.replace(/\.map$/, ''))) rmSync(file);
    else if (name.endsWith('.map')) moveSource(file, types, sources, root);
  }
}

function reach(file: string, kept: Set<string>): void {
  if (kept.has(file) || !existsSync(file)) return;
  kept.add(file);
  for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(
    /(?:from |import |import\()["'](\.[^"']+)\.js["']/g,
  )) {
    reach(join(dirname(file), `${path}.d.ts`), kept);
  }
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
