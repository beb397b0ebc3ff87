import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { isRunning, makeOutDir, removeOutDir } from './bundle-folder.js';

afterEach(() => {
  vi.restoreAllMocks();
});

it('takes a process of another user for one that runs', () => {
  expect(isRunning(process.pid)).toBe(true);
  expect(isRunning(999_999_999)).toBe(false);
  vi.spyOn(process, 'kill').mockImplementation(() => {
    throw Object.assign(new Error('kill EPERM'), { code: 'EPERM' });
  });
  expect(isRunning(1)).toBe(true);
});

it('leaves nothing behind where nothing was, and what others have made', () => {
  const root = mkdtempSync(join(tmpdir(), 'fw-out-'));
  try {
    removeOutDir(makeOutDir(root));
    expect(existsSync(join(root, 'node_modules'))).toBe(false);
    const folder = makeOutDir(root);
    mkdirSync(join(root, 'node_modules/zod'));
    removeOutDir(folder);
    expect(existsSync(dirname(folder))).toBe(false);
    expect(existsSync(join(root, 'node_modules/zod'))).toBe(true);
  } finally {
    rmSync(root, { recursive: true });
  }
});
