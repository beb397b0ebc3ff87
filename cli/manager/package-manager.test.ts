// Which package manager a directory belongs to, with real directories, and the commands that messages name.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { addCommand, packageManagerFor, projectPackageManager } from './package-manager.js';
import { workspaceAbove } from './workspace.js';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'fw-manager-'));
  vi.stubEnv('npm_config_user_agent', '');
});
afterEach(() => {
  rmSync(root, { recursive: true });
  vi.unstubAllEnvs();
});

function put(path: string, text = ''): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}
const inApp = (): string | undefined => projectPackageManager(join(root, 'apps/shop'));

describe('the package manager of a project', () => {
  it.each([
    ['pnpm-lock.yaml', 'pnpm'],
    ['pnpm-workspace.yaml', 'pnpm'],
    ['yarn.lock', 'yarn'],
    ['bun.lock', 'bun'],
    ['bun.lockb', 'bun'],
    ['package-lock.json', 'npm'],
    ['npm-shrinkwrap.json', 'npm'],
  ])('is that of %s, in the directory and above it', (file, manager) => {
    expect(inApp()).toBeUndefined();
    put(file);
    expect(inApp()).toBe(manager);
    put('apps/shop/yarn.lock');
    expect(inApp()).toBe('yarn');
  });

  it.each([
    ['{"packageManager":"pnpm@10.4.1+sha512.abc"}', 'pnpm'],
    ['\uFEFF{"packageManager":"yarn@4.5.0"}', 'yarn'],
    ['{"devEngines":{"packageManager":{"name":"bun"}}}', 'bun'],
    ['{"devEngines":{"packageManager":[{"name":"deno"},{"name":"npm"}]}}', 'npm'],
  ])('is that of %s, before any lock file beside it', (manifest, manager) => {
    put('package.json', manifest);
    put('bun.lock');
    put('package-lock.json');
    expect(inApp()).toBe(manager);
  });

  it.each(['{"packageManager":"corepack@1"}', '{"packageManager":3,"devEngines":null}', 'null', '{'])(
    'is not known by %s',
    (manifest) => {
      put('package.json', manifest);
      expect(inApp()).toBeUndefined();
    },
  );

  it('is not looked for above the git repository, nor in the home directory', () => {
    put('pnpm-lock.yaml');
    put('apps/.git/HEAD');
    expect(inApp()).toBeUndefined();
    rmSync(join(root, 'apps/.git'), { recursive: true });
    vi.stubEnv('HOME', root);
    vi.stubEnv('USERPROFILE', root);
    expect(inApp()).toBeUndefined();
    expect(projectPackageManager(root)).toBe('pnpm');
  });

  it('is else the one that runs fw, else npm', () => {
    expect(packageManagerFor(root)).toBe('npm');
    vi.stubEnv('npm_config_user_agent', 'bun/1.3.0 npm/? node/v24.0.0');
    expect(packageManagerFor(root)).toBe('bun');
    put('pnpm-lock.yaml');
    expect(packageManagerFor(root)).toBe('pnpm');
  });
});

it.each([
  ['package-lock.json', 'npm install vite', 'npm install --save-dev vite'],
  ['pnpm-lock.yaml', 'pnpm add vite', 'pnpm add --save-dev vite'],
  ['yarn.lock', 'yarn add vite', 'yarn add --dev vite'],
  ['bun.lock', 'bun add vite', 'bun add --dev vite'],
])('with %s, a package is added by: %s', (lock, add, addDev) => {
  put(lock);
  expect(addCommand(root, 'vite')).toBe(add);
  expect(addCommand(root, 'vite', { dev: true })).toBe(addDev);
});

describe('the workspace above', () => {
  it.each<[string, string, boolean | undefined]>([
    ['["apps/*"]', 'apps/shop', true],
    ['["./apps/*/"]', 'apps/shop', true],
    ['["apps/**"]', 'apps/a/shop', true],
    ['["apps/*"]', 'apps/a/shop', false],
    ['{"packages":["{apps,tools}/*"]}', 'tools/shop', true],
    ['["**","!tools/**"]', 'tools/shop', false],
    ['["shop"]', 'shop', true],
    ['[]', 'shop', false],
    ['3', 'shop', undefined],
  ])('%s has %s: %s', (workspaces, path, has) => {
    put('package.json', `{"workspaces":${workspaces}}`);
    expect(workspaceAbove(join(root, path), false)?.hasDirectory).toBe(has);
  });

  it('is that of pnpm for pnpm alone', () => {
    put('pnpm-workspace.yaml', 'packages: []');
    expect(workspaceAbove(join(root, 'a/b'), true)).toMatchObject({ root, file: 'pnpm-workspace.yaml' });
    expect(workspaceAbove(join(root, 'a/b'), false)).toBeUndefined();
  });
});
