// When an event says nothing new about a file.
import { mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type AbsolutePath, absolutePath, pathIn } from '../../framework/files/absolute-path.js';
import { stampOf } from '../files/file-stamps.js';
import { ReportedStamps } from './watch.js';

let folder: AbsolutePath;
let file: AbsolutePath;
beforeEach(() => {
  folder = absolutePath(mkdtempSync(join(tmpdir(), 'fw-stamps-')));
  file = pathIn(folder, 'a.ts');
  writeFileSync(file, 'one');
});
afterEach(() => rmSync(folder, { recursive: true }));

it('is when the file is as it was reported, or when watching began', () => {
  const later = Date.now() + 10_000;
  const stamps = new ReportedStamps(new Map([[file, stampOf(file)]]));
  expect(stamps.ifUnchanged(file, later)).toBe(stampOf(file));
  writeFileSync(file, 'three');
  expect(stamps.ifUnchanged(file, later)).toBeUndefined();
  stamps.note(file, stampOf(file));
  expect(stamps.ifUnchanged(file, later)).toBe(stampOf(file));
  expect(stamps.ifUnchanged(pathIn(folder, 'unknown.ts'), later)).toBeUndefined();
  rmSync(file);
  expect(stamps.ifUnchanged(file, later)).toBeUndefined();
});

it('is not while another save could have the same time', () => {
  const at = (seconds: number) => {
    utimesSync(file, seconds, seconds);
    return new ReportedStamps(new Map([[file, stampOf(file)]]));
  };
  const exact = at(1_700_000_000.5);
  const written = statSync(file).mtimeMs;
  expect([10, 30].map((later) => exact.ifUnchanged(file, written + later) !== undefined)).toEqual([
    false,
    true,
  ]);
  const whole = at(1_700_000_000);
  expect(
    [2000, 3000].map((later) => whole.ifUnchanged(file, 1_700_000_000_000 + later) !== undefined),
  ).toEqual([false, true]);
});
