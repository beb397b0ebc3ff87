import { fstatSync, ftruncateSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { FileChunks } from './respond.js';

const dir = mkdtempSync(join(tmpdir(), 'fw-chunks-'));
const path = join(dir, 'file');
const SIZE = 300_000;
const content = Buffer.from(Array.from({ length: SIZE }, (_, index) => index % 251));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const END = { done: true, value: undefined };

/** Opened for writing too, so that a test can truncate the file. */
function open(): number {
  writeFileSync(path, content);
  return openSync(path, 'r+');
}

/** Waits, because closing is asynchronous. */
async function closed(fd: number): Promise<void> {
  await vi.waitFor(() => expect(() => fstatSync(fd)).toThrow(expect.objectContaining({ code: 'EBADF' })));
}

async function readAll(chunks: FileChunks): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all);
}

describe('FileChunks', () => {
  it.each([
    [0, SIZE],
    [0, 1],
    [5, 200_000],
    [SIZE - 1, 1],
    [131_072, 131_072],
  ])('returns from %d on exactly %d bytes, and closes the descriptor', async (position, length) => {
    const fd = open();
    const read = await readAll(new FileChunks(fd, position, length));
    expect(read.equals(content.subarray(position, position + length))).toBe(true);
    await closed(fd);
  });

  it('returns no bytes of an empty range, and closes the descriptor', async () => {
    const fd = open();
    expect(await new FileChunks(fd, 0, 0).next()).toStrictEqual(END);
    await closed(fd);
  });

  it('stays at its end after the last byte', async () => {
    const fd = open();
    const chunks = new FileChunks(fd, 0, 10);
    expect(await chunks.next()).toMatchObject({ done: false, value: { length: 10 } });
    await closed(fd);
    expect(await chunks.next()).toStrictEqual(END);
    expect(await chunks.next()).toStrictEqual(END);
  });

  it('fails if the file was truncated, and returns nothing after that', async () => {
    const fd = open();
    const chunks = new FileChunks(fd, 0, SIZE);
    await chunks.next();
    ftruncateSync(fd, 200_000);
    expect(await chunks.next()).toMatchObject({ done: false, value: { length: 200_000 - 131_072 } });
    await expect(chunks.next()).rejects.toEqual(
      new Error('the file lost its last 100000 bytes while it was sent'),
    );
    await closed(fd);
    expect(await chunks.next()).toStrictEqual(END);
  });

  it('fails if the file cannot be read, and closes the descriptor', async () => {
    const fd = openSync(dir, 'r');
    const chunks = new FileChunks(fd, 0, 10);
    await expect(chunks.next()).rejects.toMatchObject({ code: 'EISDIR' });
    await closed(fd);
    expect(await chunks.next()).toStrictEqual(END);
  });

  it('closes the descriptor when reading is stopped', async () => {
    const fd = open();
    const chunks = new FileChunks(fd, 0, SIZE);
    await chunks.next();
    expect(await chunks.return()).toStrictEqual(END);
    await closed(fd);
    expect(await chunks.next()).toStrictEqual(END);
    expect(await chunks.return()).toStrictEqual(END);
  });

  it('keeps the descriptor open during a read, and drops the bytes of that read', async () => {
    const fd = open();
    const chunks = new FileChunks(fd, 0, SIZE);
    const reading = chunks.next();
    expect(await chunks.return()).toStrictEqual(END);
    expect(await reading).toStrictEqual(END);
    await closed(fd);
  });

  it('closes its descriptor only once, because the number may be in use for another file then', async () => {
    const fd = open();
    const chunks = new FileChunks(fd, 0, SIZE);
    await chunks.return();
    await closed(fd);
    const next = openSync(path, 'r');
    expect(next).toBe(fd);
    await chunks.return();
    await chunks.next();
    const other = new FileChunks(openSync(path, 'r'), 0, 1);
    await readAll(other);
    expect(fstatSync(next).size).toBe(SIZE);
    await new FileChunks(next, 0, 1).return();
  });
});
