// What the journeys of `fw new` look at: the app that it makes, and what stands for a package manager.
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, delimiter, join } from 'node:path';
import { expect } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };
import { type RunResult, temporaryDirectory } from './packed.js';

const { dependencies, devDependencies } = JSON.parse(
  readFileSync(new URL('../templates/basic/package.json', import.meta.url), 'utf8'),
) as Record<'dependencies' | 'devDependencies', Record<string, string>>;
/** What a package manager does for the template basic. */
export const installing: string = installs(
  packageJson,
  ...Object.keys({ ...dependencies, ...devDependencies })
    .filter((name) => name !== 'fw')
    .map((name) => ({ name })),
);

export function ok(result: RunResult): void {
  expect(result, result.stderr).toMatchObject({ exitCode: 0 });
}

export function manifest(directory: string): { name: string } {
  return JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
}

export function existing(files: Record<string, string>): string {
  const directory = join(temporaryDirectory(), 'existing');
  mkdirSync(directory);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(directory, path, '..'), { recursive: true });
    writeFileSync(join(directory, path), content);
  }
  return directory;
}

/** Every file and link below the directory. */
export function tree(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true, recursive: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(directory.length + 1))
    .sort();
}

/** An environment in which a script of this test stands for the package manager of that name. */
export function fakeManager(name: string, script: string): NodeJS.ProcessEnv {
  const directory = temporaryDirectory('fw-manager');
  const path = join(directory, basename(name));
  writeFileSync(path, `#!${process.execPath}\n${script}\n`);
  chmodSync(path, 0o755);
  return { PATH: `${directory}${delimiter}${process.env.PATH}` };
}

/** The part of a script that puts packages with these package.json where a package manager does. */
export function installs(...manifests: readonly { name: string }[]): string {
  return `const fs = require("node:fs");
    for (const manifest of ${JSON.stringify(manifests)}) {
      fs.mkdirSync("node_modules/" + manifest.name, { recursive: true });
      fs.writeFileSync("node_modules/" + manifest.name + "/package.json", JSON.stringify(manifest));
    }`;
}
