// Build: gives classes back the names that they have in the sources.
import { readFileSync, writeFileSync } from 'node:fs';

/**
 * esbuild writes a class that mentions itself as `App=class _App`, and `_App` is then what stacks, logs and
 * `constructor.name` show. Inside of the class both names mean the same, so the inner one takes the outer's. The
 * option `keepNames` would do it too, by a call for each function, also for those that requests make.
 *
 * @throws Error where the inner name means something else as well, which esbuild does not write.
 */
export function restoreClassNames(file: string): void {
  const text = readFileSync(file, 'utf8');
  let restored = text;
  for (const [, outer, inner] of text.matchAll(/(?<![\w$.])([\w$]+)=class (_[\w$]+)/g)) {
    if (outer === undefined || inner === undefined) continue;
    const name = new RegExp(`(?<![\\w$.])${inner.replaceAll('$', '\\$')}(?![\\w$])`, 'g');
    if (new RegExp(`(?:var|let|const|function) ${inner.replaceAll('$', '\\$')}\\b`).test(text)) {
      throw new Error(`${file}: ${inner} is the inner name of the class ${outer} and declared elsewhere too`);
    }
    restored = restored.replace(name, outer);
  }
  if (restored !== text) writeFileSync(file, restored);
}
