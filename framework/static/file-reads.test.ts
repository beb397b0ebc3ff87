// How small files are read: in pieces, and again if they are written to meanwhile.
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

vi.mock('node:fs', async (load) => {
  const original = await load<typeof import('node:fs')>();
  return { ...original, readSync: vi.fn(original.readSync) };
});
// Imported here, because a module that was loaded before the mock would use the real functions.
vi.resetModules();
const { App } = await import('../app/app.js');
const { TestClient } = await import('../testing/index.js');
const { MAX_CACHED_FILE } = await import('./file-cache.js');
// The modules that the first request would load.
await import('./file-server.js');
const real = await vi.importActual<typeof import('node:fs')>('node:fs');

const dir = fs.mkdtempSync(join(tmpdir(), 'fw-reads-'));
const path = join(dir, 'a.txt');
const read = vi.mocked(fs.readSync);
type Read = (
  fd: number,
  bytes: NodeJS.ArrayBufferView,
  offset: number,
  length: number,
  position: number,
) => number;
const readReally = real.readSync as unknown as Read;
const readBy = (how: Read): void => {
  read.mockImplementation(how as unknown as typeof fs.readSync);
};

beforeEach(() => {
  // Files are cached once they are two seconds old; the clock is set so that they are.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 });
  read.mockClear();
  readBy(readReally);
});
afterEach(() => vi.useRealTimers());
afterAll(() => fs.rmSync(dir, { recursive: true, force: true }));

const serve = () => new TestClient(new App().serveStatic('/', dir));

describe('a small file', () => {
  it('is complete if the operating system reads it in pieces', async () => {
    fs.writeFileSync(path, '0123456789');
    readBy((fd, bytes, offset, length, position) =>
      readReally(fd, bytes, offset, Math.min(length, 3), position),
    );
    const client = serve();
    (await client.get('/a.txt')).assertText('0123456789');
    expect(read.mock.calls.map((call: readonly unknown[]) => call[3])).toEqual([10, 7, 4, 1]);
    (await client.get('/a.txt')).assertText('0123456789');
    expect(read).toHaveBeenCalledTimes(4);
  });

  it('is read again if it was written to meanwhile', async () => {
    fs.writeFileSync(path, 'one');
    readBy((...args) => {
      const count = readReally(...args);
      if (read.mock.calls.length === 1) fs.writeFileSync(path, 'three');
      return count;
    });
    const client = serve();
    (await client.get('/a.txt')).assertText('three');
    expect(read).toHaveBeenCalledTimes(2);
    (await client.get('/a.txt')).assertText('three');
    expect(read).toHaveBeenCalledTimes(2);
  });

  it('is read again if it was truncated meanwhile', async () => {
    fs.writeFileSync(path, '0123456789');
    readBy((...args) => {
      if (read.mock.calls.length === 1) fs.truncateSync(path, 4);
      return readReally(...args);
    });
    (await serve().get('/a.txt')).assertText('0123').assertHeader('content-length', '4');
  });

  it('that is written to during every read is sent as it was last read, and not cached', async () => {
    fs.writeFileSync(path, 'v0');
    readBy((...args) => {
      const count = readReally(...args);
      fs.writeFileSync(path, `v${read.mock.calls.length}`);
      fs.utimesSync(path, 1_000, read.mock.calls.length);
      return count;
    });
    const client = serve();
    (await client.get('/a.txt')).assertText('v4');
    expect(read).toHaveBeenCalledTimes(5);
    (await client.get('/a.txt')).assertText('v9');
    expect(read).toHaveBeenCalledTimes(10);
  });

  it('is at most as large as the cache allows; a larger one is not read as a whole', async () => {
    const client = serve();
    fs.writeFileSync(path, Buffer.alloc(MAX_CACHED_FILE));
    for (let i = 0; i < 2; i++) expect((await client.get('/a.txt')).bytes).toHaveLength(MAX_CACHED_FILE);
    expect(read).toHaveBeenCalledTimes(1);
    fs.writeFileSync(path, Buffer.alloc(MAX_CACHED_FILE + 1));
    expect((await client.get('/a.txt')).bytes).toHaveLength(MAX_CACHED_FILE + 1);
    expect(read).toHaveBeenCalledTimes(1);
  });

  it('is not cached while one of its times is recent', async () => {
    const later = Date.now() / 1000 + 10;
    fs.writeFileSync(path, 'text');
    fs.utimesSync(path, later, later);
    const client = serve();
    for (let i = 0; i < 2; i++) (await client.get('/a.txt')).assertText('text');
    expect(read).toHaveBeenCalledTimes(2);
    fs.utimesSync(path, 1_000, 1_000);
    for (let i = 0; i < 2; i++) (await client.get('/a.txt')).assertText('text');
    expect(read).toHaveBeenCalledTimes(3);
  });
});
