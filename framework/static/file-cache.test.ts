import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { cachedBytes, FileCache, MAX_CACHED_BYTES, MAX_CACHED_FILE } from './file-cache.js';
import { StaticFile } from './static-file.js';

const stat = statSync(fileURLToPath(import.meta.url), { bigint: true });
const fields = { type: 'text/plain', coding: undefined, cacheControl: undefined, isNegotiated: false };
const shared = Buffer.alloc(MAX_CACHED_FILE);

const fileOf = (bytes: number) => new StaticFile('/x', stat, shared.subarray(0, bytes), fields);
/** The number of files of maximum size that exceeds the limit. */
const MANY = Math.ceil(MAX_CACHED_BYTES / MAX_CACHED_FILE) + 10;

const caches: FileCache[] = [];
const keys = new Set<string>();

function make(): FileCache {
  const cache = new FileCache();
  caches.push(cache);
  return cache;
}

function fill(cache: FileCache, count: number, bytes: number = MAX_CACHED_FILE, name = 'f'): void {
  for (let i = 0; i < count; i++) {
    keys.add(`${name}${i}`);
    cache.set(`${name}${i}`, fileOf(bytes));
  }
}

afterEach(() => {
  for (const cache of caches.splice(0)) for (const key of keys) cache.delete(key);
  expect(cachedBytes()).toBe(0);
});

describe('the cache of small files', () => {
  it('returns a file until it is deleted or replaced', () => {
    const cache = make();
    const [first, second] = [fileOf(1), fileOf(2)];
    keys.add('a');
    cache.set('a', first);
    expect(cache.get('a')).toBe(first);
    cache.set('a', second);
    expect(cache.get('a')).toBe(second);
    const held = cachedBytes();
    cache.delete('a');
    expect(cache.get('a')).toBeUndefined();
    expect(held - cachedBytes()).toBe(held);
  });

  it('distinguishes the files of two directories', () => {
    const [one, two] = [make(), make()];
    fill(one, 1);
    expect(two.get('f0')).toBeUndefined();
  });

  it('does not exceed its limit for all directories together', () => {
    fill(make(), MANY);
    fill(make(), MANY);
    expect(cachedBytes()).toBeLessThanOrEqual(MAX_CACHED_BYTES);
    const small = make();
    fill(small, 40_000, 0, 'empty');
    expect(cachedBytes()).toBeLessThanOrEqual(MAX_CACHED_BYTES);
    // Empty files count too: otherwise their number would have no limit.
    expect(small.get('empty0')).toBeUndefined();
  });

  it('uses its limit to the last byte', () => {
    const cache = make();
    keys.add('first');
    cache.set('first', fileOf(0));
    const cost = cachedBytes();
    const full = Math.floor((MAX_CACHED_BYTES - cost) / (MAX_CACHED_FILE + cost));
    fill(cache, full);
    fill(cache, 1, MAX_CACHED_BYTES - cachedBytes() - cost, 'last');
    expect(cachedBytes()).toBe(MAX_CACHED_BYTES);
    expect(cache.get('first')).toBeDefined();
  });

  it('eventually drops a file that was used only once', () => {
    const cache = make();
    fill(cache, 1, MAX_CACHED_FILE, 'used');
    cache.get('used0');
    fill(cache, MANY);
    fill(cache, MANY, MAX_CACHED_FILE, 'more');
    expect(cache.get('used0')).toBeUndefined();
  });

  it('drops unused files before used ones', () => {
    const cache = make();
    fill(cache, 20);
    for (let round = 0; round < MANY; round++) {
      cache.get('f3');
      fill(cache, 1, MAX_CACHED_FILE, `more${round}-`);
    }
    expect(cache.get('f3')).toBeDefined();
    expect(cache.get('f2')).toBeUndefined();
    expect(cache.get('f4')).toBeUndefined();
  });
});
