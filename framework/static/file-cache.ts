// Static files: small files kept in memory, within one limit for the whole process.
import type { StaticFile } from './static-file.js';

/** Larger files are streamed from the disk. */
export const MAX_CACHED_FILE: number = 256 * 1024;
/** Bytes of all cached files together. */
export const MAX_CACHED_BYTES: number = 64 * 1024 * 1024;
/** What an entry costs beside the bytes, roughly: a million empty files are no small thing either. */
const ENTRY_BYTES = 2_048;

interface Entry {
  readonly file: StaticFile;
  readonly key: string;
  readonly owner: Map<string, Entry>;
  /** Set by every use; the sweep that makes room takes it back once before it takes the entry. */
  isUsed: boolean;
}

/** In the order in which they came or were last spared. */
const all = new Set<Entry>();
let heldBytes = 0;

/** The cached files of one directory. Nothing in it may be served unless the disk was asked for changes. */
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

/** Bytes that are held for all directories together. */
export function cachedBytes(): number {
  return heldBytes;
}

/** Second chance: as good as least-recently-used here, and a hit writes one boolean instead of moving entries. */
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
