// The state of all files of an app.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { absolutePath, pathIn } from '../../framework/files/absolute-path.js';
import { stampOf, stampsBelow } from './file-stamps.js';

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
