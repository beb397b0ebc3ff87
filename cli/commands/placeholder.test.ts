import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { notice } from './placeholder.js';

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'fw-placeholder-'));
  vi.stubEnv('npm_config_user_agent', '');
});
afterEach(() => {
  rmSync(directory, { recursive: true });
  vi.unstubAllEnvs();
});

function packageJson(content: string): void {
  writeFileSync(join(directory, 'package.json'), content);
}

test('names the script to run', () => {
  packageJson('{"scripts":{"build":"esbuild …","format":"biome …"}}');
  expect(notice('build', ['build'], directory)).toBe('fw build is a placeholder; run: npm run build');
  expect(notice('fmt', ['fmt', 'format'], directory)).toContain('npm run format');
});

test('uses the package manager of the lock file, or else the one that runs fw', () => {
  packageJson('{"scripts":{"test":"vitest"}}');
  vi.stubEnv('npm_config_user_agent', 'bun/1.3.0 npm/? node/v24.0.0');
  expect(notice('test', ['test'], directory)).toContain('bun run test');
  writeFileSync(join(directory, 'pnpm-lock.yaml'), '');
  expect(notice('test', ['test'], directory)).toContain('pnpm run test');
});

test('reports a missing script, and a missing package.json', () => {
  expect(notice('lint', ['lint'], directory)).toContain('no package.json');
  packageJson('{"scripts":null}');
  expect(notice('lint', ['lint'], directory)).toContain('no "lint" script');
  packageJson('[]');
  expect(notice('lint', ['lint'], directory)).toContain('no "lint" script');
});

test('names a package.json that cannot be parsed', () => {
  packageJson('{');
  expect(() => notice('lint', ['lint'], directory)).toThrow(join(directory, 'package.json'));
});
