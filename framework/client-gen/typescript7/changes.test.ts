// What TypeScript 7 is told of changes, with real files.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { type AbsolutePath, absolutePath, pathIn } from '../../files/absolute-path.js';
import { fileChanges } from './program.js';

it('tells of a new file as created, then as changed, and as created again after it was deleted', () => {
  const folder = absolutePath(mkdtempSync(join(tmpdir(), 'fw-changes-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = pathIn(folder, 'a.ts');
  const known = new Set<AbsolutePath>();
  const told = () => fileChanges([file], known);
  writeFileSync(file, '');
  expect(told()).toEqual([{ changed: [], created: [file], deleted: [] }]);
  expect(told()).toEqual([{ changed: [file], created: [], deleted: [] }]);
  rmSync(file);
  expect(told()).toEqual([{ changed: [], created: [], deleted: [file] }]);
  writeFileSync(file, '');
  expect(told()).toEqual([{ changed: [], created: [file], deleted: [] }]);
});

it('tells of a few changes one after the other, and of many at once', () => {
  const folder = absolutePath(mkdtempSync(join(tmpdir(), 'fw-changes-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const files = Array.from({ length: 9 }, (_, index) => pathIn(folder, `${index}.ts`));
  for (const file of files) writeFileSync(file, '');
  const few = files.slice(0, 8);
  expect(fileChanges(few, new Set(files))).toEqual(
    few.map((file) => ({ changed: [file], created: [], deleted: [] })),
  );
  expect(fileChanges(files, new Set(files))).toEqual([{ changed: files, created: [], deleted: [] }]);
});
