import {
  closeSync,
  fstatSync,
  mkdtempSync,
  openSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { mediaType } from './file-server.js';
import { type Description, StaticFile } from './static-file.js';

const dir = mkdtempSync(join(tmpdir(), 'fw-static-file-'));
const path = join(dir, 'a.txt');
writeFileSync(path, 'text');
utimesSync(path, 1_600_000_000.9, 1_600_000_000.9);
const stat = statSync(path, { bigint: true });
afterAll(() => rmSync(dir, { recursive: true, force: true }));
afterEach(() => vi.useRealTimers());

const plain: Description = {
  type: 'text/plain',
  coding: undefined,
  cacheControl: undefined,
  isNegotiated: false,
};

function fields(description: Partial<Description>, content: Buffer | number = Buffer.from('text')) {
  const file = new StaticFile(path, stat, content, { ...plain, ...description });
  return { file, shared: Object.fromEntries(file.shared), complete: Object.fromEntries(file.complete) };
}

describe('StaticFile', () => {
  const always = { ETag: '"4-1600000000"', 'Last-Modified': 'Sun, 13 Sep 2020 12:26:40 GMT' };

  it('has the header fields of a file', () => {
    const { shared, complete } = fields({});
    expect(shared).toEqual(always);
    expect(complete).toEqual({ ...always, 'Content-Type': 'text/plain', 'Accept-Ranges': 'bytes' });
  });

  it('has the header fields of a precompressed file, with its own entity tag', () => {
    const { shared, complete } = fields({ coding: 'br', cacheControl: 'no-cache', isNegotiated: true });
    const coded = {
      ...always,
      ETag: '"4-1600000000-br"',
      'Cache-Control': 'no-cache',
      Vary: 'Accept-Encoding',
    };
    expect(shared).toEqual(coded);
    expect(complete).toEqual({ ...coded, 'Content-Type': 'text/plain', 'Content-Encoding': 'br' });
  });

  it.each([
    [1_599_999_999_999, false],
    [1_600_000_000_000, true],
  ])('at %d ms, has Last-Modified: %s', (now, isSent) => {
    vi.useFakeTimers({ toFake: ['Date'], now });
    expect('Last-Modified' in fields({}).shared).toBe(isSent);
  });

  it('closes its descriptor', () => {
    const fd = openSync(path, 'r');
    const { file } = fields({}, fd);
    expect([file.size, file.content]).toEqual([4, fd]);
    file.close();
    expect(() => fstatSync(fd)).toThrow(expect.objectContaining({ code: 'EBADF' }));
    const other = openSync(path, 'r');
    fields({}).file.close();
    expect(fstatSync(other).isFile()).toBe(true);
    closeSync(other);
  });
});

it.each([
  ['a.html', 'text/html; charset=utf-8'],
  ['/x/a.TXT', 'text/plain; charset=utf-8'],
  ['a.js', 'text/javascript; charset=utf-8'],
  ['a.json', 'application/json'],
  ['a.png', 'image/png'],
  ['a.unknown-extension', 'application/octet-stream'],
  ['Makefile', 'application/octet-stream'],
])('%s has the media type %s', (name, type) => expect(mediaType(name)).toBe(type));
