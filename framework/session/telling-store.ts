// Sessions: a store of the application that does not tell itself which sessions end.
import type { SessionInfo } from '../context/session.js';
import { chained } from '../promises.js';
import type { SessionChanges, SessionStore, StoredSession } from './session-store.js';
import { type SessionListener, SessionWatchers, type WatchedKey } from './session-watchers.js';

const known = new WeakMap<SessionStore, TellingStore>();

/**
 * The store, or one around it that tells what the middleware ends. What the application ends by calls of such a store is
 * noticed with the next check.
 */
export function tellingStore(store: SessionStore): SessionStore {
  if (typeof store.watch === 'function') return store;
  const found = known.get(store) ?? new TellingStore(store);
  known.set(store, found);
  return found;
}

class TellingStore implements SessionStore {
  readonly #store: SessionStore;
  readonly #watchers = new SessionWatchers();

  constructor(store: SessionStore) {
    this.#store = store;
  }

  watch(session: WatchedKey, listener: SessionListener): () => void {
    return this.#watchers.watch(session, listener);
  }

  load(key: string): StoredSession | undefined | Promise<StoredSession | undefined> {
    return this.#store.load(key);
  }

  create(key: string, session: StoredSession): void | Promise<void> {
    return this.#store.create(key, session);
  }

  update(key: string, changes: SessionChanges): boolean | Promise<boolean> {
    return chained(this.#store.update(key, changes), (isThere) => {
      const { newKey, signedIn } = changes;
      if (isThere && newKey !== undefined) this.#watchers.moved(key, newKey, signedIn?.user.id);
      return isThere;
    });
  }

  delete(key: string): void | Promise<void> {
    return chained(this.#store.delete(key), () => this.#watchers.ended(key));
  }

  list(userId: string): readonly SessionInfo[] | Promise<readonly SessionInfo[]> {
    return this.#store.list(userId);
  }

  end(userId: string, id: string): boolean | Promise<boolean> {
    return chained(this.#store.end(userId, id), (isEnded) => {
      if (isEnded) this.#watchers.ended(id);
      return isEnded;
    });
  }

  endAll(userId: string, options: { readonly except?: string } = {}): number | Promise<number> {
    return chained(this.#store.endAll(userId, options), (count) => {
      this.#watchers.endedAll(userId, options.except);
      return count;
    });
  }
}
