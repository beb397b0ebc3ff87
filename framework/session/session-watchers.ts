// Sessions: tells what a session has opened, such as WebSockets, when it ends. Every store has one, for its own calls.

/** The session to watch. */
export interface WatchedKey {
  readonly key: string;
  /** The user that it belongs to; undefined if nobody is signed in. */
  readonly userId: string | undefined;
}

export interface SessionListener {
  /** The session has ended. Called once. */
  ended(): void;
  /** The session has a new key, as after a sign-in. */
  moved(newKey: string): void;
}

/**
 * Who watches the sessions of a store. A store of your own has one for its method `watch`, and calls the others when it
 * has ended or moved a session:
 *
 * ```ts no-run
 * readonly #watchers = new SessionWatchers();
 *
 * watch(session: WatchedKey, listener: SessionListener): () => void {
 *   return this.#watchers.watch(session, listener);
 * }
 *
 * async delete(key: string): Promise<void> {
 *   await this.#database.delete(key);
 *   this.#watchers.ended(key);
 * }
 * ```
 */
export class SessionWatchers {
  readonly #byKey = new Map<string, Set<Watcher>>();

  /** Calls the listener when the session ends or moves, until the returned function is called. */
  watch({ key, userId }: WatchedKey, listener: SessionListener): () => void {
    const watcher: Watcher = { key, userId, listener };
    this.#add(watcher);
    return () => this.#remove(watcher);
  }

  /** The session of the key has ended. */
  ended(key: string): void {
    const watchers = this.#byKey.get(key);
    this.#byKey.delete(key);
    for (const { listener } of watchers ?? []) listener.ended();
  }

  /** All sessions of the user have ended, but that of the key `except`. */
  endedAll(userId: string, except?: string): void {
    for (const [key, watchers] of [...this.#byKey]) {
      if (key !== except && [...watchers].some((one) => one.userId === userId)) this.ended(key);
    }
  }

  /** The session has a new key. If another user has signed in, it is another session. */
  moved(from: string, to: string, userId: string | undefined): void {
    const watchers = this.#byKey.get(from);
    this.#byKey.delete(from);
    for (const watcher of watchers ?? []) {
      if (userId !== undefined && watcher.userId !== undefined && watcher.userId !== userId) {
        watcher.listener.ended();
        continue;
      }
      watcher.key = to;
      watcher.userId ??= userId;
      this.#add(watcher);
      watcher.listener.moved(to);
    }
  }

  #add(watcher: Watcher): void {
    const watchers = this.#byKey.get(watcher.key) ?? new Set();
    this.#byKey.set(watcher.key, watchers.add(watcher));
  }

  #remove(watcher: Watcher): void {
    const watchers = this.#byKey.get(watcher.key);
    watchers?.delete(watcher);
    if (watchers?.size === 0) this.#byKey.delete(watcher.key);
  }
}

interface Watcher {
  key: string;
  userId: string | undefined;
  readonly listener: SessionListener;
}
