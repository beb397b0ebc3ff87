// Which files are watched, without a watcher.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { absolutePath } from '../../framework/files/absolute-path.js';
import { tellsOfInstallation, WatchScope } from './watch-scope.js';

/** By the package manager that writes it last. */
const marks = {
  npm: '.package-lock.json',
  pnpm: '.modules.yaml',
  'Yarn 4': '.yarn-state.yml',
  'Yarn 1': '.yarn-integrity',
};

describe.each(Object.entries(marks))('an installation with %s', (_, mark) => {
  it('is watched in the app, and tells that packages may be others', () => {
    const scope = new WatchScope(absolutePath('/app'), undefined);
    const file = `/app/node_modules/${mark}`;
    expect(scope.isIgnored(file)).toBe(false);
    expect(tellsOfInstallation(file)).toBe(true);
  });

  it('is watched in the workspace above the app', () => {
    const workspace = mkdtempSync(join(tmpdir(), 'fw-scope-'));
    onTestFinished(() => rmSync(workspace, { recursive: true }));
    mkdirSync(join(workspace, 'node_modules'));
    const app = absolutePath(join(workspace, 'apps/shop'));
    const file = absolutePath(join(workspace, 'node_modules', mark));
    const scope = new WatchScope(app, undefined);
    expect(scope.begin).toContain(file);
    expect(scope.isIgnored(file)).toBe(false);
  });
});

it('watches the files of a linked package that Node loads, and no others of it', () => {
  const scope = new WatchScope(absolutePath('/app'), undefined);
  scope.addFolders([absolutePath('/linked')]);
  for (const name of ['a.js', 'a.cjs', 'a.mjs', 'a.json', 'a.node', 'a.wasm', 'parts', 'parts/a.js'])
    expect(scope.isIgnored(`/linked/${name}`), name).toBe(false);
  for (const name of ['a.ts', 'a.js.map', 'README.md', '.git', '.cache/a.js', 'node_modules/x/a.js'])
    expect(scope.isIgnored(`/linked/${name}`), name).toBe(true);
});

it('ignores what is installed, and other files beside the sources', () => {
  const scope = new WatchScope(absolutePath('/app'), absolutePath('/above/fw.toml'));
  const ignored = ['node_modules/x', 'node_modules/.cache', 'README.md', 'dist', 'src/node_modules'];
  for (const name of ignored) expect(scope.isIgnored(`/app/${name}`), name).toBe(true);
  const watched = ['', '/src', '/src/dist', '/node_modules', '/package.json', '/.env', '/tsconfig.json'];
  for (const name of watched) expect(scope.isIgnored(`/app${name}`), name).toBe(false);
  expect(scope.isIgnored('/above/fw.toml')).toBe(false);
  expect(scope.isIgnored('/above/other')).toBe(true);
});
