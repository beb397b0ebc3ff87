// Finds out whether an app only gives its contract to the registry, so that another contract changes no type.
import { basename } from 'node:path';

const IMPORT = /^import ([\w$]+) from ['"][^'"\n]*['"][^\n]*$/gm;
/** A line that is nothing but a comment, and no part of a template. */
const COMMENT = /^[ \t]*(?:\/\/|\*|\/\*)(?![^\n]*(?:\$\{|\*\/[ \t]*\S))[^\n]*$/gm;

/**
 * False if code that imports a contract may use it for something else than `loadContract(contract)`. A name in a text or
 * behind code counts as a use: then types are inferred once more, which is only slower.
 */
export function isOnlyGiven(contract: string, code: string): boolean {
  const file = basename(contract);
  const text = code.replace(COMMENT, '');
  const imports = [...text.matchAll(IMPORT)].filter(
    ([line]) => line.includes(`${file}'`) || line.includes(`${file}"`),
  );
  const [found] = imports;
  if (found === undefined || imports.length > 1) return false;
  const [line, name = ''] = found;
  const rest = text.replace(line, '');
  if (rest.includes(file)) return false;
  const word = `(?<![\\w$])${name.replaceAll('$', '\\$')}(?![\\w$])`;
  const given =
    rest.match(new RegExp(`(?<![\\w$])(?:load|use)Contract\\(\\s{0,200}${word}\\s{0,200}\\)`, 'g')) ?? [];
  return given.length === (rest.match(new RegExp(word, 'g')) ?? []).length;
}
