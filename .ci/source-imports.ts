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

function importsIn(root: string, file: string, known: ReadonlySet<string>): Import[] {
  const source = readFileSync(join(root, file), 'utf8');
  const { module, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message}`);
  const found: Import[] = [];
  const add = (specifier: string, isType: boolean) => {
    if (!specifier.startsWith('.')) return;
    const to = normalize(join(dirname(file), specifier)).replace(/\.js$/, '.ts');
    const source = known.has(`${to}x`) ? `${to}x` : to;
    if (/\.tsx?$/.test(source)) found.push({ from: file, to: source, isType });
  };
  for (const { moduleRequest, entries } of module.staticImports) {
    add(moduleRequest.value, entries.length > 0 && entries.every((entry) => entry.isType));
  }
  for (const { entries } of module.staticExports) {
    for (const { moduleRequest, isType } of entries) if (moduleRequest) add(moduleRequest.value, isType);
  }
  for (const { moduleRequest } of module.dynamicImports) {
    add(source.slice(moduleRequest.start + 1, moduleRequest.end - 1), false);
  }
  return found;
}
