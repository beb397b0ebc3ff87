// Sessions: keeps them in the memory of this process.

import type { SessionInfo } from '../context/session.js';
import { checkValue, refuseMore } from '../options/check.js';
import { whole } from '../options/rules.js';
import type { SessionChanges, SessionStore, SessionUser, StoredSession } from './session-store.js';
import { type SessionListener, SessionWatchers, type WatchedKey } from './session-watchers.js';

/** How many expired sessions one call removes at most: more than it can add, so that their number falls. */
const SWEPT = 2;

/** Values are kept in an array and not in a Map, which takes three times the memory of a few of them. */
class Entry implements StoredSession, Expiring {
  readonly key: string;
  readonly user: SessionUser | undefined;
  readonly createdAtMs: number;
  usedAtMs: number;
  expiresAtMs: number;
  place = 0;
  /** Each key is followed by its text. */
  #values: readonly string[];

  constructor(key: string, { values, user, createdAtMs, usedAtMs, expiresAtMs }: StoredSession) {
    this.key = key;
    this.user = user;
    this.createdAtMs = createdAtMs;
    this.usedAtMs = usedAtMs;
    this.expiresAtMs = expiresAtMs;
    this.#values = [...values].flat();
  }

  /** A new map: requests that have loaded the session must not see later changes. */
  get values(): Map<string, string> {
    const values = new Map<string, string>();
    for (let i = 0; i < this.#values.length; i += 2) {
      values.set(this.#values[i] as string, this.#values[i + 1] as string);
    }
    return values;
  }

  use({ set, deleted, usedAtMs, expiresAtMs }: SessionChanges): void {
    if (set.size > 0 || deleted.length > 0) this.#values = [...changed(this.values, { set, deleted })].flat();
    this.usedAtMs = Math.max(this.usedAtMs, usedAtMs);
    this.expiresAtMs = Math.max(this.expiresAtMs, expiresAtMs);
  }
}

/**
 * Keeps sessions in the memory of this process, so they end with it. Expired ones are removed by later reads and writes,
 * without a timer.
 */
export class MemoryStore implements SessionStore {
  readonly #entries = new Map<string, Entry>();
  readonly #byExpiry = new ExpiryHeap<Entry>();
  /** The session of a user, or all of them: most users have one. */
  readonly #byUser = new Map<string, Entry | Set<Entry>>();
  readonly #watchers = new SessionWatchers();
  #maxSessions = Number.POSITIVE_INFINITY;

  /** A store without a limit. @throws ConfigError if there is an argument */
  constructor(...none: readonly never[]) {
    refuseMore('new MemoryStore()', none, 'write MemoryStore.withMaxSessions(count) for a limit');
  }

  /**
   * A store of at most so many sessions. When it is full, a new one replaces the one that would expire first.
   *
   * @throws ConfigError if the number is not a whole number above 0.
   */
  static withMaxSessions(maxSessions: number): MemoryStore {
    checkValue('MemoryStore.withMaxSessions', 'the number of sessions', maxSessions, whole(1));
    const store = new MemoryStore();
    store.#maxSessions = maxSessions;
    return store;
  }

  /** The number of stored sessions, some of which may have expired. */
  get size(): number {
    return this.#entries.size;
  }

  load(key: string): StoredSession | undefined {
    this.#sweep();
    const entry = this.#entries.get(key);
    if (entry === undefined || entry.expiresAtMs > Date.now()) return entry;
    this.#end(entry);
    return undefined;
  }

  create(key: string, session: StoredSession): void {
    this.#sweep();
    this.#add(new Entry(key, session));
    while (this.#entries.size > this.#maxSessions) {
      const first = this.#byExpiry.first;
      if (first !== undefined) this.#end(first);
    }
  }

  update(key: string, changes: SessionChanges): boolean {
    this.#sweep();
    const entry = this.load(key) as Entry | undefined;
    if (entry === undefined) return false;
    const { newKey = key, signedIn, usedAtMs, expiresAtMs } = changes;
    if (newKey === key && signedIn === undefined) {
      entry.use(changes);
      this.#byExpiry.move(entry);
      return true;
    }
    this.#remove(entry);
    const values = changed(signedIn?.dropsValues === true ? new Map() : entry.values, changes);
    const { user, createdAtMs } = signedIn ?? entry;
    this.#add(new Entry(newKey, { values, user, createdAtMs, usedAtMs, expiresAtMs }));
    this.#watchers.moved(key, newKey, signedIn?.user.id);
    return true;
  }

  delete(key: string): void {
    const entry = this.#entries.get(key);
    if (entry !== undefined) this.#end(entry);
  }

  list(userId: string): SessionInfo[] {
    const now = Date.now();
    const entries = this.#of(userId).filter(({ expiresAtMs }) => expiresAtMs > now);
    return entries.map(({ key, user, createdAtMs, usedAtMs }) => ({
      id: key,
      label: user?.label,
      createdAtMs,
      usedAtMs,
    }));
  }

  end(userId: string, id: string): boolean {
    const session = this.load(id);
    if (session?.user?.id !== userId) return false;
    this.delete(id);
    return true;
  }

  endAll(userId: string, { except }: { readonly except?: string } = {}): number {
    const ended = this.list(userId).filter(({ id }) => id !== except);
    for (const { id } of ended) this.delete(id);
    return ended.length;
  }

  watch(session: WatchedKey, listener: SessionListener): () => void {
    return this.#watchers.watch(session, listener);
  }

  #end(entry: Entry): void {
    this.#remove(entry);
    this.#watchers.ended(entry.key);
  }

  #of(userId: string): Entry[] {
    const found = this.#byUser.get(userId);
    if (found === undefined) return [];
    return found instanceof Entry ? [found] : [...found];
  }

  #add(entry: Entry): void {
    this.#entries.set(entry.key, entry);
    this.#byExpiry.add(entry);
    if (entry.user === undefined) return;
    const { id } = entry.user;
    const others = this.#byUser.get(id);
    if (others === undefined) this.#byUser.set(id, entry);
    else if (others instanceof Entry) this.#byUser.set(id, new Set([others, entry]));
    else others.add(entry);
  }

  #remove(entry: Entry): void {
    this.#entries.delete(entry.key);
    this.#byExpiry.remove(entry);
    if (entry.user === undefined) return;
    const { id } = entry.user;
    const sessions = this.#byUser.get(id);
    if (sessions instanceof Set) sessions.delete(entry);
    if (sessions === entry || (sessions as Set<Entry>).size === 0) this.#byUser.delete(id);
  }

  #sweep(): void {
    const now = Date.now();
    for (let swept = 0; swept < SWEPT; swept += 1) {
      const first = this.#byExpiry.first;
      if (first === undefined || first.expiresAtMs > now) return;
      this.#end(first);
    }
  }
}

function changed(
  values: Map<string, string>,
  { set, deleted }: Pick<SessionChanges, 'set' | 'deleted'>,
): ReadonlyMap<string, string> {
  for (const [key, value] of set) values.set(key, value);
  for (const key of deleted) values.delete(key);
  return values;
}

/** An entry knows its place, so that it can be moved and removed. */
interface Expiring {
  expiresAtMs: number;
  /** Set by the heap. */
  place: number;
}

/** Adding, moving and removing take a number of steps that grows with the logarithm of the size. */
class ExpiryHeap<Entry extends Expiring> {
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
