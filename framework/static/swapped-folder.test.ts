// Static files: a folder that another process exchanges with a link to outside, and back, at every moment.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { Directory } from './directory.js';

const ended: (() => void)[] = [];
afterEach(() => {
  for (const end of ended.splice(0)) end();
});

/** Renames as fast as it can: `folder` is in turn the real folder and a link to the secret one. */
const SWAP = `
const { renameSync } = require('node:fs');
const [folder, real, link] = process.argv.slice(1);
for (const end = Date.now() + 30_000; Date.now() < end; ) {
  renameSync(folder, real); renameSync(link, folder);
  renameSync(folder, link); renameSync(real, folder);
}`;

describe('a folder that is exchanged with a link to outside', () => {
  it('gives no file of outside', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'fw-swap-'));
    const [root, outside] = [join(dir, 'root'), join(dir, 'outside')];
    for (const folder of [root, join(root, 'folder'), outside]) mkdirSync(folder);
    writeFileSync(join(root, 'folder', 'file'), 'public');
    writeFileSync(join(outside, 'file'), 'secret!');
    symlinkSync(outside, join(root, 'link'));
    const paths = ['folder', 'real', 'link'].map((name) => join(root, name));
    const swapper = spawn(process.execPath, ['-e', SWAP, ...paths], { stdio: 'ignore' });
    ended.push(() => {
      swapper.kill('SIGKILL');
      rmSync(dir, { recursive: true, force: true });
    });
    const directory = new Directory(root);
    const path = directory.pathOf('folder/file');
    const sizes = new Map<number, number>();
    const { closeSync } = await import('node:fs');
    for (let count = 0; count < 30_000; count += 1) {
      const opened = directory.open(path);
      if (opened === undefined) continue;
      const size = Number(opened.stat.size);
      sizes.set(size, (sizes.get(size) ?? 0) + 1);
      closeSync(opened.fd);
    }
    expect([...sizes.keys()]).toEqual(['public'.length]);
  });
});
