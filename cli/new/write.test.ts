import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { TemplateFile } from './templates.js';
import { write } from './write.js';

let parent: string;
let app: string;

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'fw-write-'));
  app = join(parent, 'app');
});
afterEach(() => rmSync(parent, { recursive: true }));

function file(path: string, content = path, executable = false): TemplateFile {
  return { path, content: Buffer.from(content), executable };
}

const files = [file('a.txt'), file('src/b.txt'), file('run.sh', '#!/bin/sh', true)];

/** The superuser can write everywhere. */
function unprivileged(run: () => void): void {
  const isSuperuser = process.getuid?.() === 0;
  if (isSuperuser) process.seteuid?.(65_534);
  try {
    run();
  } finally {
    if (isSuperuser) process.seteuid?.(0);
  }
}

describe('a new directory', () => {
  test('holds the files, with the usual modes', () => {
    write(app, false, files).keep();
    expect(readFileSync(join(app, 'src/b.txt'), 'utf8')).toBe('src/b.txt');
    expect(readdirSync(parent)).toEqual(['app']);
    if (process.platform === 'win32') return;
    const allowed = 0o777 & ~process.umask();
    expect(statSync(app).mode & 0o777).toBe(allowed);
    expect(statSync(join(app, 'run.sh')).mode & 0o777).toBe(allowed);
    expect(statSync(join(app, 'a.txt')).mode & 0o111).toBe(0);
  });

  test('has secrets that other users cannot read', (context) => {
    if (process.platform === 'win32') context.skip('a mode does not say who may read a file');
    write(app, false, [{ ...file('.env'), isSecret: true }]).keep();
    expect(statSync(join(app, '.env')).mode & 0o777).toBe(0o600);
  });

  test('is deleted by undo, with the parents that were created for it', () => {
    const written = write(join(parent, 'x/y/app'), false, files);
    mkdirSync(join(parent, 'x/y/app/node_modules'));
    written.undo();
    expect(readdirSync(parent)).toEqual([]);
  });

  test('that appears in the meantime is not changed', () => {
    mkdirSync(app);
    writeFileSync(join(app, 'mine'), '');
    expect(() => write(app, false, files)).toThrow('in the meantime');
    expect([readdirSync(parent), readdirSync(app)]).toEqual([['app'], ['mine']]);
  });
});

describe('a directory with files', () => {
  beforeEach(() => {
    mkdirSync(app);
    writeFileSync(join(app, 'a.txt'), 'mine');
    writeFileSync(join(app, 'other.txt'), 'mine');
  });

  test('keeps its other files', () => {
    write(app, true, files).keep();
    expect(readdirSync(app).sort()).toEqual(['a.txt', 'other.txt', 'run.sh', 'src']);
    expect(readFileSync(join(app, 'a.txt'), 'utf8')).toBe('a.txt');
  });

  test('is the same as before after undo', () => {
    const written = write(app, true, files);
    mkdirSync(join(app, 'node_modules/x'), { recursive: true });
    written.undo();
    expect(readdirSync(app).sort()).toEqual(['a.txt', 'other.txt']);
    expect(readFileSync(join(app, 'a.txt'), 'utf8')).toBe('mine');
  });

  const later = [
    ...['node_modules', '.git', '.yarn'],
    ...[
      'package-lock.json',
      'pnpm-lock.yaml',
      'yarn.lock',
      'bun.lock',
      'bun.lockb',
      '.pnp.cjs',
      '.pnp.loader.mjs',
    ],
  ];

  test.each(later)('has no %s of a later step after undo', (name) => {
    const written = write(app, true, files);
    mkdirSync(join(app, name));
    writeFileSync(join(app, name, 'x'), '');
    written.undo();
    expect(readdirSync(app).sort()).toEqual(['a.txt', 'other.txt']);
  });

  test.each(later)('has its own %s after undo', (name) => {
    writeFileSync(join(app, name), 'mine');
    write(app, true, files).undo();
    expect(readdirSync(app).sort()).toEqual(['a.txt', 'other.txt', name].sort());
    expect(readFileSync(join(app, name), 'utf8')).toBe('mine');
  });

  test('is the same as before when a move fails', () => {
    // A file in place of a directory, which is noticed after the first files have been moved.
    writeFileSync(join(app, 'src'), 'mine');
    expect(() => write(app, true, files)).toThrow('cannot write');
    expect(readdirSync(app).sort()).toEqual(['a.txt', 'other.txt', 'src']);
    expect(readFileSync(join(app, 'a.txt'), 'utf8')).toBe('mine');
  });

  test('without write permission is named', (context) => {
    if (process.platform === 'win32') context.skip('a directory is not closed by its mode');
    for (const directory of [parent, app]) chmodSync(directory, 0o555);
    unprivileged(() => {
      expect(() => write(app, true, files)).toThrow(`cannot write ${app}: permission denied`);
    });
    for (const directory of [parent, app]) chmodSync(directory, 0o755);
    expect(existsSync(join(app, 'src'))).toBe(false);
  });
});
