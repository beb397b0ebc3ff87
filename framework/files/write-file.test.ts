// Generated files: what is written, what stays untouched, and what a reader sees meanwhile.
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import fsPromises, { readFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { writeIfChanged } from './write-file.js';

let root: string;
let file: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'fw-write-')));
  file = join(root, 'a.ts');
});
afterEach(() => rmSync(root, { recursive: true }));

/** Since a long time ago. */
function present(text: string): void {
  writeFileSync(file, text);
  utimesSync(file, 1, 1);
}
const isUntouched = (): boolean => statSync(file).mtimeMs === 1_000;

describe('a file', () => {
  it('is made, with its folders, and nothing is left beside it', async () => {
    const deep = join(root, 'x/y/a.ts');
    expect(await writeIfChanged(deep, 'new\n')).toBe(true);
    expect(readFileSync(deep, 'utf8')).toBe('new\n');
    expect(readdirSync(join(root, 'x/y'))).toEqual(['a.ts']);
  });

  it('is replaced by another text, and nothing is left beside it', async () => {
    present('old\n');
    expect(await writeIfChanged(file, 'new\n')).toBe(true);
    expect(readFileSync(file, 'utf8')).toBe('new\n');
    expect(readdirSync(root)).toEqual(['a.ts']);
  });

  it.each([
    ['the same text', 'a\nb\n', 'a\nb\n'],
    ['other line ends', 'a\r\nb\r\n', 'a\nb\n'],
    ['a byte order mark', '\ufeffa\n', 'a\n'],
    ['both', '\ufeffa\r\nb\r\n', 'a\nb\n'],
    ['line ends that are meant', 'a\r\n', 'a\r\n'],
  ])('that has %s stays untouched', async (_, before, text) => {
    present(before);
    expect(await writeIfChanged(file, text)).toBe(false);
    expect([isUntouched(), readFileSync(file, 'utf8')]).toEqual([true, before]);
  });

  it.each([
    ['a mark inside of it', 'a\ufeff\n', 'a\n'],
    ['a line more', 'a\n\n', 'a\n'],
    ['nothing in it', '', 'a\n'],
  ])('that has %s is written', async (_, before, text) => {
    present(before);
    expect(await writeIfChanged(file, text)).toBe(true);
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  it.skipIf(process.platform === 'win32')(
    'has the old text or the new one for whoever reads it meanwhile',
    async () => {
      const [old, next] = ['o'.repeat(4_000_000), 'n'.repeat(4_000_000)];
      present(old);
      let isWritten = false;
      const writing = writeIfChanged(file, next).finally(() => {
        isWritten = true;
      });
      const seen = new Set<string>();
      while (!isWritten) seen.add(await readFile(file, 'utf8'));
      await writing;
      expect([...seen].every((text) => text === old || text === next)).toBe(true);
    },
  );
});

describe.skipIf(process.platform === 'win32')('what is not a file', () => {
  it('a link stays one, and its target is written', async () => {
    const link = join(root, 'link.ts');
    present('old\n');
    symlinkSync('a.ts', link);
    expect(await writeIfChanged(link, 'new\n')).toBe(true);
    expect([lstatSync(link).isSymbolicLink(), readFileSync(file, 'utf8')]).toEqual([true, 'new\n']);
    expect(await writeIfChanged(link, 'new\n')).toBe(false);
  });

  it('links that lead nowhere yet stay, and their target is made', async () => {
    const link = join(root, 'link.ts');
    mkdirSync(join(root, 'links'));
    symlinkSync('links/second.ts', link);
    symlinkSync('../new/a.ts', join(root, 'links/second.ts'));
    expect(await writeIfChanged(link, 'new\n')).toBe(true);
    expect([lstatSync(link).isSymbolicLink(), readdirSync(join(root, 'new'))]).toEqual([true, ['a.ts']]);
    expect(readFileSync(link, 'utf8')).toBe('new\n');
  });

  it('a loop of links is an error', async () => {
    symlinkSync('loop.ts', join(root, 'loop.ts'));
    await expect(writeIfChanged(join(root, 'loop.ts'), 'new\n')).rejects.toThrow('ELOOP');
  });

  it('a pipe gets the text', async () => {
    const pipe = join(root, 'pipe');
    expect(spawnSync('mkfifo', [pipe]).status).toBe(0);
    const reading = readFile(pipe, 'utf8');
    expect(await writeIfChanged(pipe, 'new\n')).toBe(true);
    expect(await reading).toBe('new\n');
    expect(statSync(pipe).isFIFO()).toBe(true);
  });

  it('a device gets it, and stays', async () => {
    expect(await writeIfChanged('/dev/null', 'new\n')).toBe(true);
    expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
  });
});

it('fails with the error of the system, and leaves nothing behind', async () => {
  mkdirSync(join(root, 'folder'));
  await expect(writeIfChanged(join(root, 'folder'), 'x')).rejects.toThrow('EISDIR');
  present('x');
  await expect(writeIfChanged(join(file, 'below'), 'x')).rejects.toThrow(/ENOTDIR|EEXIST/);
  expect([readdirSync(root).sort(), existsSync(join(root, 'folder'))]).toEqual([['a.ts', 'folder'], true]);
});

describe('an error of the disk', () => {
  function failing(call: 'readlink' | 'rename' | 'writeFile', code: string): void {
    const spy = vi.spyOn(fsPromises, call);
    spy.mockRejectedValue(Object.assign(new Error(`${code}: a test`), { code }));
    syncBuiltinESMExports();
    onTestFinished(() => {
      spy.mockRestore();
      syncBuiltinESMExports();
    });
  }

  it('while the new text takes the place of the old leaves the old, and nothing beside it', async () => {
    present('old\n');
    failing('rename', 'EXDEV');
    await expect(writeIfChanged(file, 'new\n')).rejects.toThrow('EXDEV: a test');
    expect([readdirSync(root), readFileSync(file, 'utf8')]).toEqual([['a.ts'], 'old\n']);
  });

  it('that is full leaves the old text, and no part of the new', async () => {
    present('old\n');
    failing('writeFile', 'ENOSPC');
    writeFileSync(`${file}.${process.pid}.tmp`, 'ne');
    await expect(writeIfChanged(file, 'new\n')).rejects.toThrow('ENOSPC: a test');
    expect([readdirSync(root), readFileSync(file, 'utf8')]).toEqual([['a.ts'], 'old\n']);
  });

  it.each(['EACCES', 'EIO'])('by which a link cannot be read, such as %s, is not hidden', async (code) => {
    failing('readlink', code);
    await expect(writeIfChanged(file, 'new\n')).rejects.toThrow(`${code}: a test`);
    expect(readdirSync(root)).toEqual([]);
  });

  it.each(['ENOENT', 'EINVAL', 'UNKNOWN'])(
    'that says what is not a link, %s, writes the file',
    async (code) => {
      present('old\n');
      failing('readlink', code);
      expect(await writeIfChanged(file, 'new\n')).toBe(true);
      expect(readFileSync(file, 'utf8')).toBe('new\n');
    },
  );
});
