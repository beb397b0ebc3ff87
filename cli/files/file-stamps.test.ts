// The state of all files of an app.
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { absolutePath, pathIn } from '../../framework/files/absolute-path.js';
import { existingFolder } from './existing-folder.js';
import { fingerprint, stampOf, stampsBelow } from './file-stamps.js';

it('has each file once, though links lead around', () => {
  const root = absolutePath(mkdtempSync(join(tmpdir(), 'fw-stamps-')));
  onTestFinished(() => rmSync(root, { recursive: true }));
  mkdirSync(join(root, 'src/deep'), { recursive: true });
  for (const name of ['a.ts', 'src/b.ts', 'src/deep/c.ts', 'src/ignored'])
    writeFileSync(join(root, name), name);
  symlinkSync('..', join(root, 'src/up'));
  symlinkSync('deep/c.ts', join(root, 'src/c.ts'));
  symlinkSync('missing', join(root, 'src/broken'));
  const isIgnored = (path: string) => path.endsWith('ignored');
  const stamps = stampsBelow([root], { isIgnored, pathOf: (name) => absolutePath(name) });
  const files = ['a.ts', 'src/b.ts', 'src/deep/c.ts'].map((name) => pathIn(root, name));
  expect([...stamps]).toEqual(expect.arrayContaining(files.map((file) => [file, stampOf(file)])));
  expect(stamps.size).toBe(3);
});

it('changes with the time, the size and the file itself', () => {
  const root = absolutePath(mkdtempSync(join(tmpdir(), 'fw-stamps-')));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const [file, other] = [join(root, 'a'), join(root, 'b')];
  const seen = new Set<string>();
  const look = () => seen.add(`${stampOf(file)} ${fingerprint([other, file])}`);
  look();
  expect(stampOf(file)).toBe('gone');
  writeFileSync(file, '1');
  utimesSync(file, 1, 1);
  look();
  utimesSync(file, 2, 2);
  look();
  writeFileSync(file, '12');
  utimesSync(file, 2, 2);
  look();
  writeFileSync(other, '34');
  utimesSync(other, 2, 2);
  renameSync(other, file);
  look();
  expect(seen.size).toBe(5);
  look();
  expect(seen.size).toBe(5);
  expect(fingerprint([file, other])).toBe(`${stampOf(file)} gone`);
});

it('finds the folder around a path that is going to be made', () => {
  const root = absolutePath(mkdtempSync(join(tmpdir(), 'fw-stamps-')));
  onTestFinished(() => rmSync(root, { recursive: true }));
  expect(existingFolder(root)).toBe(root);
  expect(existingFolder(join(root, 'a/b/c.ts'))).toBe(root);
  expect(existingFolder('not there')).toBe('.');
});
