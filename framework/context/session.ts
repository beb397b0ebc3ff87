// The session of a request, as handlers see it; `fw/session` implements it.

/** Values that are kept for one client from request to request. */
export interface Session {
  /** The value that `set` stored; undefined if there is none. */
  get(key: string): unknown;
  /** Stores a JSON value. */
  set(key: string, value: unknown): void;
  /** Ends the session: removes it from the store, and its cookie from the browser. */
  clear(): void;
}
