// Sessions: the interface of stores.
import { isPrincipal } from '../context/principal.js';
import type { SessionInfo } from '../context/session.js';
import { FwError } from '../http/errors.js';
import { shown } from '../options/shown.js';
import { isPromise } from '../promises.js';
import { reportError } from '../tracing/error-channel.js';
import type { SessionListener, WatchedKey } from './session-watchers.js';

/** The user of a session. */
export interface SessionUser {
  readonly id: string;
  readonly scopes: readonly string[];
  readonly label: string | undefined;
}

/** A session as a store keeps it. Times are milliseconds since 1970. */
export interface StoredSession {
  /** JSON texts by key. */
  readonly values: ReadonlyMap<string, string>;
  readonly user: SessionUser | undefined;
  readonly createdAtMs: number;
  readonly usedAtMs: number;
  /** The end of its idle or of its absolute lifetime, whichever comes first. */
  readonly expiresAtMs: number;
}

/** What one request changes in a stored session. */
export interface SessionChanges {
  /** Values to write; those of other keys stay as they are in the store. */
  readonly set: ReadonlyMap<string, string>;
  readonly deleted: readonly string[];
  /** The session moves to this key, in the same atomic step. */
  readonly newKey?: string;
  /** Replaces user and time of creation, and with `dropsValues` all values, because someone signed in. */
  readonly signedIn?: {
    readonly user: SessionUser;
    readonly createdAtMs: number;
    readonly dropsValues: boolean;
  };
  readonly usedAtMs: number;
  readonly expiresAtMs: number;
}

/**
 * Keeps sessions by key, in this process or in a backend that several processes share. A key is the SHA-256 digest of
 * the secret in the cookie, which stores never see. Each method is one atomic step, and returns a promise or not.
 */
export interface SessionStore {
  /** The session of a key; undefined if there is none or it has expired. */
  load(key: string): StoredSession | undefined | Promise<StoredSession | undefined>;
  /** Stores a new session. */
  create(key: string, session: StoredSession): void | Promise<void>;
  /** Changes a session. Returns false, and stores nothing, if there is none of that key any more. */
  update(key: string, changes: SessionChanges): boolean | Promise<boolean>;
  /** Removes a session, if there is one. */
  delete(key: string): void | Promise<void>;
  /** The sessions of a user that have not expired. */
  list(userId: string): readonly SessionInfo[] | Promise<readonly SessionInfo[]>;
  /** Ends a session of the user by the id in `list`; false if the user has none of that id. */
  end(userId: string, id: string): boolean | Promise<boolean>;
  /** Ends all sessions of the user, but not that of the id `except`, and returns how many there were. */
  endAll(userId: string, options?: { readonly except?: string }): number | Promise<number>;
  /**
   * Tells a listener when a call of this store ends the session or gives it a new key, until the returned function is
   * called: WebSockets and streams then end at once. `SessionWatchers` keeps the listeners. Without it, what the
   * application ends by calls of the store is noticed with the next ping.
   */
  watch?(session: WatchedKey, listener: SessionListener): () => void;
}

/**
 * What a store has loaded. Backends have their own words for nothing, and clients of databases give large numbers as
 * texts, with which no time would ever be over.
 *
 * @throws Error if it is neither a session nor nothing
 */
export function storedSession(loaded: unknown): StoredSession | undefined {
  if (loaded === undefined || loaded === null) return undefined;
  const { user, createdAtMs, usedAtMs, expiresAtMs } = loaded as Partial<StoredSession>;
  if (![createdAtMs, usedAtMs, expiresAtMs].every(Number.isFinite)) {
    throw malformed('a session whose times are not all numbers');
  }
  if (user === undefined) return loaded as StoredSession;
  if (user === null) return { ...(loaded as StoredSession), user: undefined };
  if (!isPrincipal(user)) throw malformed('a session whose user has no id or no list of scopes');
  return loaded as StoredSession;
}

function malformed(what: string): Error {
  return new Error(`load() of the store of sessions returned ${what}; return a StoredSession, or undefined`);
}

/**
 * What a store has listed, checked.
 *
 * @throws Error if it is not a list of sessions
 */
export function listedSessions(listed: unknown): readonly SessionInfo[] {
  const isInfo = (one: unknown): boolean =>
    typeof one === 'object' &&
    one !== null &&
    typeof (one as SessionInfo).id === 'string' &&
    Number.isFinite((one as SessionInfo).usedAtMs);
  if (Array.isArray(listed) && listed.every(isInfo)) return listed as SessionInfo[];
  throw new Error(
    `list() of the store of sessions returned ${Array.isArray(listed) ? 'entries that are not sessions' : shown(listed)}; ` +
      'return a list of SessionInfo, whose times are numbers',
  );
}

/** How long clients wait before they repeat a request that the store could not serve, in seconds. */
const RETRY_AFTER = '5';

/**
 * The answer of the store, whether it is a promise or not. `onFailure` runs before the error is thrown.
 *
 * @throws FwError 503 if the store fails.
 */
export function ask<T>(operation: () => T | Promise<T>, onFailure?: () => void): T | Promise<T> {
  const failed = (error: unknown): never => {
    onFailure?.();
    throw FwError.serviceUnavailable('sessions are not available at the moment; try again later', {
      cause: error,
      headers: { 'Retry-After': RETRY_AFTER },
    });
  };
  try {
    const answer = operation();
    return isPromise(answer) ? Promise.resolve(answer as Promise<T>).then(undefined, failed) : answer;
  } catch (error) {
    return failed(error);
  }
}

/** Reports a change after the response was made, which no `save()` followed. */
export function reportLateChange({ method, path }: { readonly method: string; readonly path: string }): void {
  const error = new Error(
    'the session was changed after the response was made, and the change was not stored; call save() right after it',
  );
  reportError({ error, status: 500, method, path });
}
