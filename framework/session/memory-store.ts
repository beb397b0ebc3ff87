// Sessions: keeps them in the memory of this process.
import { ConfigError } from '../config-error.js';
import type { SessionInfo } from '../context/session.js';
import { type Expiring, ExpiryHeap } from './expiry-heap.js';
import type { SessionChanges, SessionStore, SessionUser, StoredSession } from './session-store.js';

/** How many expired sessions one write removes at most: more than it can add, so that their number falls. */
const SWEPT = 2;

interface Entry extends StoredSession, Expiring {
  readonly key: string;
  expiresAtMs: number;
  values: ReadonlyMap<string, string>;
  user: SessionUser | undefined;
  createdAtMs: number;
  usedAtMs: number;
}

/**
 * Keeps sessions in the memory of this process, so they end with it. Expired ones are removed by later writes,
 * without a timer.
 */
export class MemoryStore implements SessionStore {
  readonly #entries = new Map<string, Entry>();
  readonly #byExpiry = new ExpiryHeap<Entry>();
  readonly #byUser = new Map<string, Set<Entry>>();
  #maxSessions = Number.POSITIVE_INFINITY;

  /**
   * A store of at most so many sessions. When it is full, a new one replaces the one that would expire first.
   *
   * @throws ConfigError when the number is not a whole number above 0.
   */
  static withMaxSessions(maxSessions: number): MemoryStore {
    if (!Number.isSafeInteger(maxSessions) || maxSessions < 1) {
      throw new ConfigError(
        'FW_OPTION',
        `MemoryStore.withMaxSessions: invalid number ${maxSessions}; use a whole number above 0`,
      );
    }
    const store = new MemoryStore();
    store.#maxSessions = maxSessions;
    return store;
  }

  /** The number of stored sessions, some of which may have expired. */
  get size(): number {
    return this.#entries.size;
  }

  load(key: string): StoredSession | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined || entry.expiresAtMs > Date.now()) return entry;
    this.#remove(entry);
    return undefined;
  }

  create(key: string, session: StoredSession): void {
    this.#sweep();
    const { values, user, createdAtMs, usedAtMs, expiresAtMs } = session;
    this.#add({ key, values, user, createdAtMs, usedAtMs, expiresAtMs, place: 0 });
    while (this.#entries.size > this.#maxSessions) {
      const first = this.#byExpiry.first;
      if (first !== undefined) this.#remove(first);
    }
  }

  update(key: string, changes: SessionChanges): boolean {
    this.#sweep();
    const entry = this.load(key) as Entry | undefined;
    if (entry === undefined) return false;
    const { newKey = key, signedIn, usedAtMs, expiresAtMs } = changes;
    const values = changed(signedIn?.dropsValues === true ? none : entry.values, changes);
    if (newKey === key && signedIn === undefined) {
      entry.values = values;
      entry.usedAtMs = Math.max(entry.usedAtMs, usedAtMs);
      entry.expiresAtMs = Math.max(entry.expiresAtMs, expiresAtMs);
      this.#byExpiry.move(entry);
      return true;
    }
    this.#remove(entry);
    const { user, createdAtMs } = signedIn ?? entry;
    this.#add({ key: newKey, values, user, createdAtMs, usedAtMs, expiresAtMs, place: 0 });
    return true;
  }

  delete(key: string): void {
    const entry = this.#entries.get(key);
    if (entry !== undefined) this.#remove(entry);
  }

  list(userId: string): SessionInfo[] {
    const now = Date.now();
    const entries = [...(this.#byUser.get(userId) ?? [])].filter(({ expiresAtMs }) => expiresAtMs > now);
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

  #add(entry: Entry): void {
    this.#entries.set(entry.key, entry);
    this.#byExpiry.add(entry);
    if (entry.user === undefined) return;
    const sessions = this.#byUser.get(entry.user.id);
    if (sessions === undefined) this.#byUser.set(entry.user.id, new Set([entry]));
    else sessions.add(entry);
  }

  #remove(entry: Entry): void {
    this.#entries.delete(entry.key);
    this.#byExpiry.remove(entry);
    if (entry.user === undefined) return;
    const sessions = this.#byUser.get(entry.user.id);
    sessions?.delete(entry);
    if (sessions?.size === 0) this.#byUser.delete(entry.user.id);
  }

  #sweep(): void {
    const now = Date.now();
    for (let swept = 0; swept < SWEPT; swept += 1) {
      const first = this.#byExpiry.first;
      if (first === undefined || first.expiresAtMs > now) return;
      this.#remove(first);
    }
  }
}

const none: ReadonlyMap<string, string> = new Map();

/** A new map: requests that have loaded the old one must not see the change. */
function changed(
  values: ReadonlyMap<string, string>,
  { set, deleted }: SessionChanges,
): ReadonlyMap<string, string> {
  if (set.size === 0 && deleted.length === 0) return values;
  const result = new Map(values);
  for (const [key, value] of set) result.set(key, value);
  for (const key of deleted) result.delete(key);
  return result;
}
