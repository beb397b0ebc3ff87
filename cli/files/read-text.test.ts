import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readJson, readText } from './read-text.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fw-text-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const big = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();

it.each([
  ['UTF-8', Buffer.from('A=ä\nB=2')],
  ['UTF-8 with a byte order mark', Buffer.from('\ufeffA=ä\nB=2')],
  ['UTF-16 of PowerShell 5', Buffer.from('\ufeffA=ä\nB=2', 'utf16le')],
  ['UTF-16 without a byte order mark', Buffer.from('A=ä\nB=2', 'utf16le')],
  ['big-endian UTF-16', big('\ufeffA=ä\nB=2')],
  ['big-endian UTF-16 without a byte order mark', big('A=ä\nB=2')],
])('reads %s', (_what, bytes) => {
  const file = join(folder, '.env');
  writeFileSync(file, bytes);
  expect(readText(file)).toBe('A=ä\nB=2');
});

it.each([[''], ['A'], ['AB'], ['ABC']])('reads a text as short as %j', (text) => {
  const file = join(folder, 'short');
  writeFileSync(file, text);
  expect(readText(file)).toBe(text);
});

it.each([
  ['UTF-16 alone', [0xff, 0xfe], ''],
  ['big-endian UTF-16 alone', [0xfe, 0xff], ''],
  ['UTF-16 with a mark and no other zero', [0xff, 0xfe, 0x2d, 0x4e], '中'],
  ['big-endian UTF-16 with a mark and no other zero', [0xfe, 0xff, 0x4e, 0x2d], '中'],
  ['a mark that is half', [0xff, 0x41], '\ufffdA'],
  ['another mark that is half', [0xfe, 0x41], '\ufffdA'],
  ['a mark at the wrong place', [0x41, 0xfe], 'A\ufffd'],
  ['another mark at the wrong place', [0x41, 0xff], 'A\ufffd'],
  ['a zero that is a character', [0x41, 0x00, 0x42, 0x43], 'A\0BC'],
  ['a zero at the start', [0x00, 0x41, 0x42, 0x43], '\0ABC'],
  ['zeros alone', [0x00, 0x00, 0x00, 0x00], '\0\0\0\0'],
  ['zeros around a character', [0x00, 0x00, 0x41, 0x00], '\0\0A\0'],
])('reads bytes with %s', (_what, bytes, text) => {
  const file = join(folder, 'bytes');
  writeFileSync(file, Buffer.from(bytes));
  expect(readText(file)).toBe(text);
});

it('reads JSON with a byte order mark', () => {
  const file = join(folder, 'package.json');
  writeFileSync(file, '\ufeff{"name":"app"}');
  expect(readJson(file)).toEqual({ name: 'app' });
});
