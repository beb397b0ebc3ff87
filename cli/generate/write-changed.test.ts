// Files that were generated, as Git on Windows and editors leave them.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type AbsolutePath, absolutePath, pathIn } from '../../framework/files/absolute-path.js';
import { made, writeChanged } from './write-changed.js';

let folder: AbsolutePath;
beforeEach(() => {
  folder = absolutePath(mkdtempSync(join(tmpdir(), 'fw-write-')));
});
afterEach(() => rmSync(folder, { recursive: true }));

it.each([
  ['the line ends of Windows', 'one\r\ntwo\r\n'],
  ['a byte order mark', '\ufeffone\ntwo\n'],
  ['both', '\ufeffone\r\ntwo\r\n'],
])('a file with %s is up to date, and is not written', async (_what, text) => {
  const file = pathIn(folder, 'client.ts');
  writeFileSync(file, text);
  const { before, after } = made(file, 'one\ntwo\n');
  expect(before).toBe(after);
  expect(await writeChanged(file, 'one\ntwo\n')).toBe(false);
  expect(readFileSync(file, 'utf8')).toBe(text);
  expect(await writeChanged(file, 'one\nthree\n')).toBe(true);
  expect(readFileSync(file, 'utf8')).toBe('one\nthree\n');
});

it('says why a file cannot be written, without the name of a temporary one', async () => {
  const file = pathIn(folder, 'plain');
  writeFileSync(file, '');
  await expect(writeChanged(pathIn(folder, 'plain/client.ts'), 'text')).rejects.toThrow(
    /client\.ts cannot be written: E[A-Z]+: [^,']+$/,
  );
});

// As Docker leaves a file that is mounted and not there.
it('says which file is a folder', () => {
  expect(() => made(folder, undefined)).toThrow(
    `cannot read ${folder}: it is a folder; replace it by the file`,
  );
});
