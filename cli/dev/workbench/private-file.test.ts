// Files of the page about the app, which hold secrets.
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { privateFile, readPrivate, writePrivate } from './private-file.js';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'fw-private-'));
});
afterEach(() => rmSync(root, { recursive: true }));

it('are read up to their limit', () => {
  writePrivate(root, 'kept', 'four');
  const file = privateFile(root, 'kept');
  expect(readPrivate(file, 4)).toBe('four');
  expect(readPrivate(file, 3)).toBeUndefined();
  expect(readPrivate(privateFile(root, 'none'), 4)).toBeUndefined();
});

it('that cannot be written leave no part of them', () => {
  mkdirSync(join(privateFile(root, 'kept'), 'inside'), { recursive: true });
  expect(() => writePrivate(root, 'kept', 'secret')).toThrow();
  expect(readdirSync(join(root, 'node_modules/.fw'))).toEqual(['kept']);
});
