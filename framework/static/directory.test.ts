import type { BigIntStats } from 'node:fs';
import { closeSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { Directory, isUnchanged } from './directory.js';

const outer = mkdtempSync(join(tmpdir(), 'fw-directory-'));
const root = join(outer, 'public');
mkdirSync(join(root, 'sub'), { recursive: true });
mkdirSync(join(outer, 'public-too'));
writeFileSync(join(root, 'a.txt'), 'inside');
writeFileSync(join(outer, 'public-too', 'a.txt'), 'outside');
symlinkSync('../public-too/a.txt', join(root, 'out.txt'));
symlinkSync('a.txt', join(root, 'in.txt'));
symlinkSync('loop.txt', join(root, 'loop.txt'));
symlinkSync('public', join(outer, 'link'));
afterAll(() => rmSync(outer, { recursive: true, force: true }));

function read(directory: Directory, name: string): string | undefined {
  const opened = directory.open(directory.pathOf(name));
  if (opened === undefined) return undefined;
  try {
    expect(directory.stat(directory.pathOf(name))).toEqual(opened.stat);
    return readFileSync(opened.fd, 'utf8');
  } finally {
    closeSync(opened.fd);
  }
}

describe('Directory', () => {
  it.each([
    ['a.txt', 'inside'],
    ['in.txt', 'inside'],
    ['out.txt', undefined],
    ['../public-too/a.txt', undefined],
    ['sub', undefined],
    ['nothing', undefined],
    ['a.txt/x', undefined],
    ['loop.txt', undefined],
    ['n'.repeat(300), undefined],
  ])('reads of %s: %s', (name, text) => {
    expect(read(new Directory(root), name)).toBe(text);
    expect(read(new Directory(join(outer, 'link')), name)).toBe(text);
  });

  it.each(['nothing', 'a.txt/x', 'loop.txt', 'n'.repeat(300)])('has no file at %s', (name) => {
    const directory = new Directory(root);
    expect(directory.stat(directory.pathOf(name))).toBeUndefined();
  });

  it.skipIf(process.platform === 'win32')('may be the root directory', () => {
    const directory = new Directory('/');
    expect(directory.pathOf('a/b')).toBe('/a/b');
    expect(read(directory, join(root, 'a.txt').slice(1))).toBe('inside');
  });

  it('rethrows errors that do not mean that there is no such file', () => {
    const directory = new Directory(root);
    const problem = expect.objectContaining({ code: 'ERR_INVALID_ARG_VALUE' });
    expect(() => directory.stat(directory.pathOf('a\0b'))).toThrow(problem);
    expect(() => directory.open(directory.pathOf('a\0b'))).toThrow(problem);
  });
});

describe('isUnchanged', () => {
  const stat = { ino: 1n, dev: 2n, size: 3n, mtimeNs: 4n, ctimeNs: 5n } as BigIntStats;

  it('is true for two stats of one version of a file', () => {
    expect(isUnchanged(stat, { ...stat, atimeNs: 6n } as BigIntStats)).toBe(true);
  });

  it.each(['ino', 'dev', 'size', 'mtimeNs', 'ctimeNs'] as const)('is false if %s differs', (field) => {
    expect(isUnchanged(stat, { ...stat, [field]: 9n } as BigIntStats)).toBe(false);
  });
});
