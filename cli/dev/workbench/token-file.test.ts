// The token of a project: kept, private, and never one that another user could have chosen.
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { tokenOf } from './token-file.js';

let root: string;
let file: string;
const chosen = 'a'.repeat(43);
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'fw-token-'));
  file = join(root, 'node_modules/.fw/workbench-token');
});
afterEach(() => rmSync(root, { recursive: true }));

function choose(mode = 0o600): void {
  mkdirSync(join(root, 'node_modules/.fw'), { recursive: true });
  writeFileSync(file, chosen, { mode });
  chmodSync(file, mode);
}

describe.skipIf(process.platform === 'win32')('tokenOf', () => {
  it('makes a token once, which only its owner can read', () => {
    const token = tokenOf(root);
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(tokenOf(root)).toBe(token);
    expect(readdirSync(join(root, 'node_modules/.fw'))).toEqual(['workbench-token']);
    choose();
    expect(tokenOf(root)).toBe(chosen);
  });

  it.each([0o644, 0o640, 0o606, 0o620])('replaces a file of mode %o', (mode) => {
    choose(mode);
    const token = tokenOf(root);
    expect(token).not.toBe(chosen);
    expect(readFileSync(file, 'utf8')).toBe(token);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('follows no link, and writes through none', () => {
    const other = join(root, 'other');
    mkdirSync(join(root, 'node_modules/.fw'), { recursive: true });
    writeFileSync(other, chosen, { mode: 0o600 });
    symlinkSync(other, file);
    const token = tokenOf(root);
    expect(token).not.toBe(chosen);
    expect([readFileSync(other, 'utf8'), lstatSync(file).isFile()]).toEqual([chosen, true]);
    rmSync(file);
    linkSync(other, file);
    expect(tokenOf(root)).not.toBe(chosen);
    expect(readFileSync(other, 'utf8')).toBe(chosen);
  });

  it.each(['', 'short', `${chosen}\n`, 'x'.repeat(200)])('replaces the text %j', (text) => {
    choose();
    writeFileSync(file, text);
    expect(tokenOf(root)).toBe(readFileSync(file, 'utf8'));
    expect(tokenOf(root)).toMatch(/^[\w-]{43}$/);
  });

  it('does not write into a folder that is a link', () => {
    const elsewhere = join(root, 'elsewhere');
    mkdirSync(elsewhere);
    mkdirSync(join(root, 'node_modules'));
    symlinkSync(elsewhere, join(root, 'node_modules/.fw'));
    expect(tokenOf(root)).toMatch(/^[\w-]{43}$/);
    expect(existsSync(join(elsewhere, 'workbench-token'))).toBe(false);
  });
});
