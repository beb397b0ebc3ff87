import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fwSpec } from './origin.js';

let directory: string;

beforeEach(() => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), 'fw-origin-')));
  writeFileSync(join(directory, 'fw-0.9.0.tgz'), '');
});
afterEach(() => rmSync(directory, { recursive: true }));

/** An `fw` that is installed in a project that depends on `spec`. */
function installed(spec: string | undefined, modules = 'node_modules'): string {
  const root = join(directory, 'project', modules, 'fw');
  mkdirSync(root, { recursive: true });
  writeFileSync(join(root, 'package.json'), '{"name":"fw","version":"0.9.0"}');
  const dependencies = spec === undefined ? {} : { fw: spec };
  writeFileSync(join(directory, 'project/package.json'), JSON.stringify({ name: 'project', dependencies }));
  return root;
}

describe('installed from the registry: a range of its own version', () => {
  test.each(['^0.9.0', '0.9.0', 'latest', '*', '>=0.8 <1', 'catalog:', 'npm:fw@0.9.0'])('%s', (spec) => {
    expect(fwSpec(installed(spec))).toBe('^0.9.0');
  });

  test('as a global installation', () => {
    expect(fwSpec(installed(undefined))).toBe('^0.9.0');
  });
});

describe('installed from a tarball: that tarball', () => {
  test.each(['file:../fw-0.9.0.tgz', '../fw-0.9.0.tgz', 'file:../fw-0.9.0.tgz::locator=project'])(
    '%s',
    (spec) => {
      expect(fwSpec(installed(spec))).toBe(`file:${directory}/fw-0.9.0.tgz`);
    },
  );

  test('by an absolute path', () => {
    const tarball = join(directory, 'fw-0.9.0.tgz');
    expect(fwSpec(installed(`file:${tarball}`))).toBe(`file:${tarball}`);
  });

  test("through pnpm's store", () => {
    const root = installed('file:../fw-0.9.0.tgz', 'node_modules/.pnpm/fw@file+fw-0.9.0.tgz/node_modules');
    expect(fwSpec(root)).toBe(`file:${directory}/fw-0.9.0.tgz`);
  });

  test.each([
    'https://example.com/fw-0.9.0.tgz',
    'git+https://example.com/fw.git#main',
    'github:me/fw',
    'me/fw#main',
  ])('%s', (spec) => {
    expect(fwSpec(installed(spec))).toBe(spec);
  });

  test('that does not exist any more: an error with its path', () => {
    expect(() => fwSpec(installed('file:../other.tgz'))).toThrow(join(directory, 'other.tgz'));
  });
});

test('installed from a directory, or run in the checkout: that directory', () => {
  mkdirSync(join(directory, 'checkout'));
  expect(fwSpec(installed('file:../checkout'))).toBe(`file:${directory}/checkout`);
  expect(fwSpec(join(directory, 'checkout'))).toBe(`file:${directory}/checkout`);
});
