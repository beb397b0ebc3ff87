// Finds requests by a text anywhere in them: in bodies, header fields, errors, log lines and statements. It looks into
// what the page shows, never into what is recorded, so that neither its answers nor their times tell a masked secret.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RawRecord } from '../../process/records.js';
import type { Found, FoundRequest } from './protocol.js';
import type { StoredRequest } from './record-store.js';
import { type RecordText, textsOf } from './record-texts.js';
import { Refusal } from './refusals.js';

/** In characters. */
const LONGEST_SEARCH = 200;
/** At once. */
const MOST_SEARCHES = 8;
/** So long it may keep others waiting, in milliseconds. */
const SLICE = 10;
/** Texts are kept for the next letter that is typed; so many characters, and so long in milliseconds. */
const MOST_KEPT = 64 * 1024 * 1024;
const KEPT_FOR = 30_000;
const MOST_PLACES = 3;

interface Kept {
  readonly raw: RawRecord;
  readonly texts: readonly RecordText[];
  readonly length: number;
}

export class RecordSearch {
  readonly #root: string;
  readonly #kept = new Map<number, Kept>();
  #keptLength = 0;
  #running = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(root: string) {
    this.#root = root;
  }

  /**
   * The requests that have the text, in whatever case.
   *
   * @param order `{ text, ids }` of the page; without `ids`, all requests are searched
   * @throws Refusal if it is something else, or there are too many searches
   */
  async find(order: unknown, all: Iterable<StoredRequest>, signal: AbortSignal): Promise<FoundRequest[]> {
    const { text, ids } = readOrder(order);
    if (this.#running >= MOST_SEARCHES) throw new Refusal(503, 'TooMany', 'too many searches are running');
    this.#running += 1;
    clearTimeout(this.#timer);
    try {
      const requests = [...all];
      this.#forgetOthers(requests);
      return await this.#search(
        folded(text),
        ids ? requests.filter(({ id }) => ids.has(id)) : requests,
        signal,
      );
    } finally {
      this.#running -= 1;
      if (this.#running === 0) this.#forgetLater();
    }
  }

  /** Nothing is kept any more. */
  clear(): void {
    clearTimeout(this.#timer);
    this.#kept.clear();
    this.#keptLength = 0;
  }

  async #search(
    text: string,
    requests: readonly StoredRequest[],
    signal: AbortSignal,
  ): Promise<FoundRequest[]> {
    const found: FoundRequest[] = [];
    const turns = new Turns(signal);
    // The newest are seen first.
    for (const { id, raw } of requests.toReversed()) {
      const places: Found[] = [];
      let count = 0;
      for (const one of this.#kept.get(id)?.texts ?? this.#made(id, raw)) {
        const at = folded(one.text).indexOf(text);
        if (at !== -1) count += 1;
        if (at !== -1 && places.length < MOST_PLACES) places.push(excerpt(one, at, text.length));
        if (turns.isOver) await turns.next();
        if (signal.aborted) return [];
      }
      if (count > 0) found.push({ id, places, more: count - places.length });
    }
    return found;
  }

  /** The texts of a request, which are kept when all of them are made. */
  *#made(id: number, raw: RawRecord): Generator<RecordText> {
    const texts: RecordText[] = [];
    let length = 0;
    for (const one of textsOf(raw, this.#root)) {
      texts.push(one);
      length += one.text.length + 50;
      yield one;
    }
    if (this.#keptLength + length > MOST_KEPT || this.#kept.has(id)) return;
    this.#kept.set(id, { raw, texts, length });
    this.#keptLength += length;
  }

  /** Of requests that were answered or forgotten since. */
  #forgetOthers(requests: readonly StoredRequest[]): void {
    const now = new Map(requests.map(({ id, raw }) => [id, raw]));
    for (const [id, { raw, length }] of this.#kept) {
      if (now.get(id) === raw) continue;
      this.#kept.delete(id);
      this.#keptLength -= length;
    }
  }

  #forgetLater(): void {
    this.#timer = setTimeout(() => this.clear(), KEPT_FOR);
    this.#timer.unref();
  }
}

/** Gives way to others from time to time. */
class Turns {
  readonly #signal: AbortSignal;
  #until = performance.now() + SLICE;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  get isOver(): boolean {
    return performance.now() > this.#until;
  }

  async next(): Promise<void> {
    if (!this.#signal.aborted) await nextTurn();
    this.#until = performance.now() + SLICE;
  }
}

function readOrder(order: unknown): { text: string; ids: ReadonlySet<number> | undefined } {
  const { text, ids } = (order ?? {}) as { text?: unknown; ids?: unknown };
  if (typeof text !== 'string' || text === '' || text.length > LONGEST_SEARCH) {
    throw new Refusal(400, 'BadRequest', `a search is a text of 1 to ${LONGEST_SEARCH} characters`);
  }
  if (ids === undefined) return { text, ids };
  if (Array.isArray(ids) && ids.every(Number.isSafeInteger)) return { text, ids: new Set(ids as number[]) };
  throw new Refusal(400, 'BadRequest', 'ids is a list of numbers');
}

/** In lower case, and as long as before: a capital I with a dot would become two characters. */
function folded(text: string): string {
  return text.replaceAll('İ', 'i').toLowerCase();
}

/** Characters around what was found. */
const BEFORE = 30;
const AFTER = 90;

function excerpt({ where, text }: RecordText, at: number, length: number): Found {
  const [from, end] = [Math.max(0, at - BEFORE), Math.min(text.length, at + length + AFTER)];
  return {
    where,
    before: (from > 0 ? '…' : '') + plain(text.slice(from, at)),
    match: plain(text.slice(at, at + length)),
    after: plain(text.slice(at + length, end)) + (end < text.length ? '…' : ''),
  };
}

function plain(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ');
}
