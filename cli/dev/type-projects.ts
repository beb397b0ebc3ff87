// Which TypeScript projects make up an app: its tsconfig.json, or those that it only refers to.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

/**
 * Absolute paths of configurations. A tsconfig.json without files of its own, as front-end tools make it, checks
 * nothing by itself: then those it refers to are checked. Empty where there is none.
 */
export function typeProjects(root: string): string[] {
  const file = join(root, 'tsconfig.json');
  if (!existsSync(file)) return [];
  const text = withoutComments(readFileSync(file, 'utf8'));
  const references = /"references"\s*:\s*\[([^\]]*)\]/.exec(text)?.[1];
  if (references === undefined || !/"files"\s*:\s*\[\s*\]/.test(text) || /"include"\s*:/.test(text))
    return [file];
  const paths = [...references.matchAll(/"path"\s*:\s*"([^"\\]+)"/g)].map(([, path = '']) =>
    configOf(root, path),
  );
  return paths.filter((path) => existsSync(path));
}

/** A reference names a file, or a folder with a tsconfig.json. */
function configOf(root: string, path: string): string {
  const named = resolve(root, path);
  return statSync(named, { throwIfNoEntry: false })?.isDirectory() ? join(named, 'tsconfig.json') : named;
}

/** TypeScript allows them in this file. What looks like one within a text stays. */
function withoutComments(text: string): string {
  return text.replace(
    /("(?:[^"\\\n]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g,
    (_, kept: string | undefined) => kept ?? ' ',
  );
}
