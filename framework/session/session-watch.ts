// Sessions: watches the session of a request for what lives longer than the request.
import type { CredentialWatch } from '../context/principal.js';
import { chained, synchronous } from '../promises.js';
import { type SessionStore, storedSession } from './session-store.js';

/** What a watch needs to know of a session. */
export interface Watched {
  readonly key: string;
  readonly userId: string | undefined;
  readonly createdAtMs: number;
  readonly idleMs: number;
  readonly absoluteMs: number;
}

/** It does not hold the request that began the session. */
export class SessionWatch implements CredentialWatch {
  readonly #store: SessionStore;
  readonly #session: Watched;
  readonly #stop: (() => void) | undefined;
  #key: string;

  /** @param ended called when a call of the store ends the session */
  constructor(store: SessionStore, session: Watched, ended: () => void) {
    this.#store = store;
    this.#session = session;
    this.#key = session.key;
    const moved = (key: string): void => {
      this.#key = key;
    };
    this.#stop = synchronous(
      store.watch?.(session, { ended, moved }),
      'watch() of the store of sessions returned a promise; return the function that ends the watch',
    );
    if (this.#stop !== undefined && typeof this.#stop !== 'function') {
      throw new TypeError('watch() of the store of sessions must return the function that ends the watch');
    }
  }

  check(isUsed: boolean): boolean | Promise<boolean> {
    const { createdAtMs, idleMs, absoluteMs } = this.#session;
    const now = Date.now();
    if (createdAtMs + absoluteMs <= now) return false;
    if (!isUsed) {
      return chained<unknown, boolean>(this.#store.load(this.#key), (loaded) => {
        const stored = storedSession(loaded);
        return stored !== undefined && stored.expiresAtMs > now;
      });
    }
    const expiresAtMs = Math.min(now + idleMs, createdAtMs + absoluteMs);
    return this.#store.update(this.#key, { set: new Map(), deleted: [], usedAtMs: now, expiresAtMs });
  }

  stop(): unknown {
    return this.#stop?.();
  }
}
