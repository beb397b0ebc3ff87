// Which changes a watcher recognizes as its own.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { absolutePath, pathIn } from '../../framework/files/absolute-path.js';
import { OwnWrites } from './write-changed.js';

it('recognizes a file as long as it has the content that was written', () => {
  const folder = absolutePath(mkdtempSync(join(tmpdir(), 'fw-own-')));
  const file = pathIn(folder, 'client.ts');
  const own = new OwnWrites();
  try {
    writeFileSync(file, 'one');
    expect(own.has(file)).toBe(false);
    own.note(file, 'one');
    expect(own.has(file)).toBe(true);
    writeFileSync(file, 'by hand');
    expect(own.has(file)).toBe(false);
    rmSync(file);
    expect(own.has(file)).toBe(false);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
