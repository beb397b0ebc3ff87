// Build: gives classes and functions back the names that they have in the sources, for stacks, messages and traces.
import { readFileSync, writeFileSync } from 'node:fs';

/**
 * esbuild writes a class that mentions itself as `App = class _App`, and a function that is returned by another of its
 * name as `return function cors2()`. Inside of the class both names mean the same, so the inner one takes the outer's;
 * the function does not mention itself. The option `keepNames` would do it too, by a call for each function, also for
 * those that requests make.
 *
 * @throws Error where a name means something else as well, which esbuild does not write.
 */
export function restoreNames(file: string): void {
  const text = readFileSync(file, 'utf8');
  const restored = restoreFunctions(file, restoreClasses(file, text));
  if (restored !== text) writeFileSync(file, restored);
}

function restoreClasses(file: string, text: string): string {
  let restored = text;
  for (const [, outer, inner] of text.matchAll(/(?<![\w$.])([\w$]+)\s*=\s*class (_[\w$]+)/g)) {
    if (outer === undefined || inner === undefined) continue;
    if (new RegExp(`(?:var|let|const|function) ${escaped(inner)}(?![\\w$])`).test(text)) {
      throw new Error(`${file}: ${inner} is the inner name of the class ${outer} and declared elsewhere too`);
    }
    restored = restored.replace(wholeName(inner), outer);
  }
  return restored;
}

function restoreFunctions(file: string, text: string): string {
  const returned = /(\breturn\s+(?:async )?function )([A-Za-z_$]+)(\d+)(?=\()/g;
  return text.replace(returned, (all, before: string, name: string, digits: string) => {
    if (!new RegExp(`\\bfunction ${escaped(name)}\\(`).test(text)) return all;
    if (text.match(wholeName(`${name}${digits}`))?.length !== 1) {
      throw new Error(`${file}: the function ${name}${digits} is mentioned elsewhere too`);
    }
    return `${before}${name}`;
  });
}

function wholeName(name: string): RegExp {
  return new RegExp(`(?<![\\w$.])${escaped(name)}(?![\\w$])`, 'g');
}

function escaped(name: string): string {
  return name.replaceAll('$', '\\$');
}
