// The sites of several versions, of a small repository whose site is one file with its settings.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fw-versions-'));
  git('init', '--quiet');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function git(...args: string[]): void {
  const author = ['-c', 'user.name=a', '-c', 'user.email=a@example.com'];
  execFileSync('git', [...author, ...args], { cwd: folder });
}

function commit(version: string, files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  git('add', '--all');
  git('commit', '--quiet', '--message', version);
  git('tag', `v${version}`);
}

const withSite = (version: string) => ({
  'package.json': JSON.stringify({ name: 'a', version, scripts: { 'docs:build': 'node site.cjs' } }),
  'package-lock.json': JSON.stringify({ name: 'a', version, lockfileVersion: 3, packages: { '': {} } }),
  'site.cjs': `const { mkdirSync, writeFileSync } = require('node:fs');
const { DOCS_BASE, DOCS_VERSIONS, DOCS_NEWEST } = process.env;
const dist = 'framework/docs/.vitepress/dist';
mkdirSync(dist, { recursive: true });
writeFileSync(dist + '/index.html', JSON.stringify(['${version}', DOCS_BASE, DOCS_VERSIONS, DOCS_NEWEST]));`,
});

const build = (...args: string[]) =>
  execFileSync(
    process.execPath,
    [join(root, 'node_modules/tsx/dist/cli.mjs'), join(root, '.ci/docs-versions.ts'), ...args],
    {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );

test('each version has its site below the newest, with links to the others', () => {
  commit('0.1.0', { 'package.json': '{ "name": "a", "version": "0.1.0" }' });
  commit('0.9.0', withSite('0.9.0'));
  commit('0.10.0', withSite('0.10.0'));
  git('tag', 'vacation');
  commit('1.0.0-rc.1', withSite('1.0.0-rc.1'));
  git('tag', '--delete', 'v1.0.0-rc.1');
  const out = join(folder, 'out');
  expect(build('--url', 'https://team.example/fw', '--out', out)).toContain('3 sites');
  const read = (path: string) => JSON.parse(readFileSync(join(out, path, 'index.html'), 'utf8'));
  expect(readdirSync(out).sort()).toEqual(['index.html', 'v0.10.0', 'v0.9.0']);
  expect(read('')).toEqual(['1.0.0-rc.1', '/fw/', '0.10.0 0.9.0', null]);
  expect(read('v0.10.0')).toEqual(['0.10.0', '/fw/v0.10.0/', '0.9.0', 'https://team.example/fw/']);
  expect(read('v0.9.0')).toEqual(['0.9.0', '/fw/v0.9.0/', '0.10.0', 'https://team.example/fw/']);
  const worktrees = execFileSync('git', ['worktree', 'list'], { cwd: folder, encoding: 'utf8' });
  expect(worktrees.trim().split('\n')).toHaveLength(1);
});

test('says what it needs', () => {
  expect(() => build('--out', 'x')).toThrow(/give the address of the site and a folder: --url https/);
});
