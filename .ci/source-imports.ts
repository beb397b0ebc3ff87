// The sources of fw, and what they import from each other, for the checks of the house plan.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { parseSync } from 'oxc-parser';

export interface Import {
  readonly from: string;
  readonly to: string;
  readonly isType: boolean;
}

/** Relative to the root, without tests and what only tests run, and without the documentation site, which is a tool. */
export function sourceFiles(root: string): string[] {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', 'framework', 'cli'], {
    cwd: root,
    encoding: 'utf8',
  });
  const isSource = (file: string) =>
    /\.tsx?$/.test(file) &&
    !file.startsWith('framework/docs/') &&
    !/\.d\.ts$|\.test\.ts$|\.test-d\.ts$|\/conformance\/|\/trial-(?:app|page|session|windows|worker)\.ts$/.test(
      file,
    );
  return [...new Set(listed.split('\n'))].filter((file) => isSource(file) && existsSync(join(root, file)));
}

/** @throws Error if a file cannot be parsed */
export function importsOf(root: string, files: readonly string[]): Import[] {
  const known = new Set(files);
  return files.flatMap((file) => importsIn(root, file, known));
}

/** The packages that sources import values from, or types too, each with a file that does. */
export function packagesImportedBy(
  root: string,
  files: readonly string[],
  withTypes = false,
): Map<string, string> {
  const found = new Map<string, string>();
  for (const file of files) {
    for (const { specifier, isType } of specifiersIn(root, file)) {
      const name = /^(?![.#]|node:)(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0];
      if (name !== undefined && (withTypes || !isType) && !found.has(name)) found.set(name, file);
    }
  }
  return found;
}

function importsIn(root: string, file: string, known: ReadonlySet<string>): Import[] {
  return specifiersIn(root, file).flatMap(({ specifier, isType }) => {
    if (!specifier.startsWith('.')) return [];
    const to = normalize(join(dirname(file), specifier)).replace(/\.js$/, '.ts');
    const source = known.has(`${to}x`) ? `${to}x` : to;
    return /\.tsx?$/.test(source) ? [{ from: file, to: source, isType }] : [];
  });
}

interface Specifier {
  /** As it is written, such as `./app.js` or `ws`. */
  readonly specifier: string;
  readonly isType: boolean;
}

function specifiersIn(root: string, file: string): Specifier[] {
  const source = readFileSync(join(root, file), 'utf8');
  const { module, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message}`);
  const found: Specifier[] = [];
  for (const { moduleRequest, entries } of module.staticImports) {
    const isType = entries.length > 0 && entries.every((entry) => entry.isType);
    found.push({ specifier: moduleRequest.value, isType });
  }
  for (const { entries } of module.staticExports) {
    for (const { moduleRequest, isType } of entries)
      if (moduleRequest) found.push({ specifier: moduleRequest.value, isType });
  }
  for (const { moduleRequest } of module.dynamicImports) {
    const literal = /^(['"])(.*)\1$/.exec(source.slice(moduleRequest.start, moduleRequest.end));
    if (literal?.[2] !== undefined) found.push({ specifier: literal[2], isType: false });
  }
  return found;
}
