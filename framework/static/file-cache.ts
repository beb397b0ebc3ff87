// Static files: caches small files in memory, with one limit for the whole process.
import type { StaticFile } from './static-file.js';

/** The largest cached file in bytes; larger ones are streamed from the disk. */
export const MAX_CACHED_FILE: number = 256 * 1024;
/** The limit of all cached files together, in bytes. */
export const MAX_CACHED_BYTES: number = 64 * 1024 * 1024;
/** The approximate size of an entry without its bytes: a million empty files need memory too. */
const ENTRY_BYTES = 2_048;

interface Entry {
  readonly file: StaticFile;
  readonly key: string;
  readonly owner: Map<string, Entry>;
  /** Set by every use. The sweep that makes room clears it, and removes entries in which it is already cleared. */
  isUsed: boolean;
}

/** In the order in which they were added or last kept by a sweep. */
const all = new Set<Entry>();
let heldBytes = 0;

/** The cached files of one directory. Before one is served, the disk must be checked for changes. */
export class FileCache {
  readonly #entries = new Map<string, Entry>();

  get(key: string): StaticFile | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    entry.isUsed = true;
    return entry.file;
  }

  set(key: string, file: StaticFile): void {
    this.delete(key);
    const entry: Entry = { file, key, owner: this.#entries, isUsed: false };
    makeRoom(costOf(file));
    this.#entries.set(key, entry);
    all.add(entry);
    heldBytes += costOf(file);
  }

  delete(key: string): void {
    const entry = this.#entries.get(key);
    if (entry !== undefined) drop(entry);
  }
}

/** The size of the cached files of all directories. */
export function cachedBytes(): number {
  return heldBytes;
}

/** Second-chance eviction: as good as LRU here, and a hit only sets a boolean instead of moving an entry. */
function makeRoom(bytes: number): void {
  for (const entry of all) {
    if (heldBytes + bytes <= MAX_CACHED_BYTES) return;
    if (entry.isUsed) {
      entry.isUsed = false;
      all.delete(entry);
      all.add(entry);
    } else drop(entry);
  }
}

function drop(entry: Entry): void {
  all.delete(entry);
  entry.owner.delete(entry.key);
  heldBytes -= costOf(entry.file);
}

function costOf(file: StaticFile): number {
  return file.size + ENTRY_BYTES;
}
