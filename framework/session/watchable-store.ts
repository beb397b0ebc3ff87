// Sessions: a store that tells long-lived connections, such as WebSockets, when the session that they began with ends.
import type { SessionInfo, SessionWatch } from '../context/session.js';
import { chained } from '../promises.js';
import type { SessionChanges, SessionStore, StoredSession } from './session-store.js';

/** What a watch needs to know of a session. */
export interface Watched {
  readonly key: string;
  readonly userId: string | undefined;
  readonly createdAtMs: number;
  readonly idleMs: number;
  readonly absoluteMs: number;
}

const known = new WeakMap<SessionStore, WatchableStore>();

/** Knows what this process changes in a store; what others change, a watch finds out when it checks. */
export class WatchableStore implements SessionStore {
  readonly #store: SessionStore;
  readonly #watches = new Map<string, Set<WatchedSession>>();

  private constructor(store: SessionStore) {
    this.#store = store;
  }

  /** The one of a store, which several Apps may share. */
  static of(store: SessionStore): WatchableStore {
    const found = known.get(store) ?? new WatchableStore(store);
    known.set(store, found);
    return found;
  }

  load(key: string): StoredSession | undefined | Promise<StoredSession | undefined> {
    return this.#store.load(key);
  }

  create(key: string, session: StoredSession): void | Promise<void> {
    return this.#store.create(key, session);
  }

  update(key: string, changes: SessionChanges): boolean | Promise<boolean> {
    return chained(this.#store.update(key, changes), (isThere) => {
      if (isThere && changes.newKey !== undefined)
        this.#moved(key, changes.newKey, changes.signedIn?.user.id);
      return isThere;
    });
  }

  delete(key: string): void | Promise<void> {
    return chained(this.#store.delete(key), () => this.#ended(key));
  }

  list(userId: string): readonly SessionInfo[] | Promise<readonly SessionInfo[]> {
    return this.#store.list(userId);
  }

  end(userId: string, id: string): boolean | Promise<boolean> {
    return chained(this.#store.end(userId, id), (isEnded) => {
      if (isEnded) this.#ended(id);
      return isEnded;
    });
  }

  endAll(userId: string, options: { readonly except?: string } = {}): number | Promise<number> {
    return chained(this.#store.endAll(userId, options), (count) => {
      for (const [key, watches] of this.#watches) {
        const isOwn = [...watches].some((watch) => watch.userId === userId);
        if (isOwn && key !== options.except) this.#ended(key);
      }
      return count;
    });
  }

  /** Watches a session until `stop()`; `ended` is called when this process ends it. */
  watch(session: Watched, ended: () => void): SessionWatch {
    return this.add(new WatchedSession(this, session, ended));
  }

  add(watch: WatchedSession): WatchedSession {
    const watches = this.#watches.get(watch.key) ?? new Set();
    this.#watches.set(watch.key, watches.add(watch));
    return watch;
  }

  remove(watch: WatchedSession): void {
    const watches = this.#watches.get(watch.key);
    watches?.delete(watch);
    if (watches?.size === 0) this.#watches.delete(watch.key);
  }

  #ended(key: string): void {
    const watches = this.#watches.get(key) ?? [];
    this.#watches.delete(key);
    for (const watch of watches) watch.ended();
  }

  /** The session has a new key; if another user has signed in, it is another session. */
  #moved(from: string, to: string, userId: string | undefined): void {
    for (const watch of [...(this.#watches.get(from) ?? [])]) {
      this.remove(watch);
      if (userId !== undefined && watch.userId !== undefined && watch.userId !== userId) watch.ended();
      else {
        watch.key = to;
        this.add(watch);
      }
    }
  }
}

/** It does not hold the request that began the session. */
class WatchedSession implements SessionWatch {
  key: string;
  readonly userId: string | undefined;
  readonly ended: () => void;
  readonly #store: WatchableStore;
  readonly #session: Watched;

  constructor(store: WatchableStore, session: Watched, ended: () => void) {
    this.#store = store;
    this.#session = session;
    this.key = session.key;
    this.userId = session.userId;
    this.ended = ended;
  }

  check(isUsed: boolean): boolean | Promise<boolean> {
    const { createdAtMs, idleMs, absoluteMs } = this.#session;
    const now = Date.now();
    if (createdAtMs + absoluteMs <= now) return false;
    if (!isUsed) {
      return chained(
        this.#store.load(this.key),
        (stored) => stored !== undefined && stored.expiresAtMs > now,
      );
    }
    const expiresAtMs = Math.min(now + idleMs, createdAtMs + absoluteMs);
    return this.#store.update(this.key, { set: new Map(), deleted: [], usedAtMs: now, expiresAtMs });
  }

  stop(): void {
    this.#store.remove(this);
  }
}
