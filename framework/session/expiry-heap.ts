// Sessions in memory: a binary heap that gives the entry that expires first.

/** An entry knows its place, so that it can be moved and removed. */
export interface Expiring {
  expiresAtMs: number;
  /** Set by the heap. */
  place: number;
}

/** Adding, moving and removing take a number of steps that grows with the logarithm of the size. */
export class ExpiryHeap<Entry extends Expiring> {
  readonly #entries: Entry[] = [];

  /** The entry that expires first. */
  get first(): Entry | undefined {
    return this.#entries[0];
  }

  add(entry: Entry): void {
    this.#entries.push(entry);
    this.#rise(entry, this.#entries.length - 1);
  }

  /** Must be called after the expiry of an entry has changed. */
  move(entry: Entry): void {
    this.#rise(entry, entry.place);
    this.#sink(entry, entry.place);
  }

  remove(entry: Entry): void {
    const last = this.#entries.pop();
    if (last === undefined || last === entry) return;
    last.place = entry.place;
    this.#entries[last.place] = last;
    this.move(last);
  }

  #rise(entry: Entry, from: number): void {
    let at = from;
    while (at > 0) {
      const above = (at - 1) >> 1;
      const parent = this.#entries[above] as Entry;
      if (parent.expiresAtMs <= entry.expiresAtMs) break;
      this.#put(parent, at);
      at = above;
    }
    this.#put(entry, at);
  }

  #sink(entry: Entry, from: number): void {
    let at = from;
    for (;;) {
      const left = 2 * at + 1;
      const [one, other] = [this.#entries[left], this.#entries[left + 1]];
      if (one === undefined) break;
      const child = other !== undefined && other.expiresAtMs < one.expiresAtMs ? other : one;
      if (child.expiresAtMs >= entry.expiresAtMs) break;
      const below = child === one ? left : left + 1;
      this.#put(child, at);
      at = below;
    }
    this.#put(entry, at);
  }

  #put(entry: Entry, at: number): void {
    this.#entries[at] = entry;
    entry.place = at;
  }
}
