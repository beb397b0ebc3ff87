// Folders may have names that look like temporary files of an editor; their changes are seen all the same.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { absolutePath, pathIn } from '../../framework/files/absolute-path.js';
import { Watcher } from './watch.js';

it.each([
  ['shop.tmp', 'src'],
  ['shop~', 'src'],
  ['.#shop', 'src'],
  ['x.swp', 'src'],
  ['app', 'src/v1.tmp-api'],
  ['app', 'src/#drafts#'],
])('a save in %s/%s is reported, and a temporary file in it is not', async (name, folder) => {
  const above = absolutePath(mkdtempSync(join(tmpdir(), 'fw-names-')));
  const root = pathIn(above, name);
  mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(root, folder, 'a.ts'), 'one');
  const seen: string[] = [];
  const watcher = await Watcher.open({
    root,
    configFile: undefined,
    onFirst: () => {},
    onNothing: () => {},
    onProblem: (text) => {
      throw new Error(text);
    },
    onChange: (files) => seen.push(...files),
  });
  try {
    writeFileSync(join(root, folder, '.a.ts.swp'), 'temporary');
    writeFileSync(join(root, folder, 'a.ts'), 'two');
    await expect.poll(() => seen, { timeout: 60_000 }).toEqual([pathIn(root, folder, 'a.ts')]);
  } finally {
    await watcher.close();
    rmSync(above, { recursive: true });
  }
});
