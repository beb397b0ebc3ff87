// The session of a request, as handlers see it; `fw/session` implements it.
import type { CredentialWatch } from './principal.js';

/**
 * The types of the values of `ctx.session()`, for declaration merging:
 *
 * ```ts
 * declare module 'fw' { interface SessionData { cart: Cart } }
 * ```
 *
 * Without a declaration every key is allowed, and values are unknown.
 */
// biome-ignore lint/suspicious/noEmptyInterface: applications declare their keys here.
export interface SessionData {}

/** The keys of a session; any text if none are declared. */
export type SessionKey<Data extends object> = [keyof Data] extends [never] ? string : keyof Data & string;

/** The type of a value by its key. */
export type SessionValue<Data extends object, Key> = Key extends keyof Data
  ? Exclude<Data[Key], undefined>
  : unknown;

/** Options of `signIn`. */
export interface SignInOptions {
  /** What the user may do, for `ctx.requireScope()`; nothing by default. */
  readonly scopes?: readonly string[];
  /** A name for the list of sessions, such as that of the browser. */
  readonly label?: string;
}

/** A session of a user, for a list of the places where they are signed in. */
export interface SessionInfo {
  /** Names the session for `end`. It is not the secret in the cookie, which cannot be computed from it. */
  readonly id: string;
  /** The name that `signIn` was given. */
  readonly label: string | undefined;
  /** When the user signed in, in milliseconds since 1970. */
  readonly createdAtMs: number;
  /** The last recorded use, in milliseconds since 1970. */
  readonly usedAtMs: number;
}

/** Values that are kept for one client from request to request. */
export interface Session<Data extends object = SessionData, Input extends object = Data> {
  /** Names the session in the store; undefined as long as there is nothing to store. It is not the secret. */
  readonly id: string | undefined;

  /** The user that signed in; undefined if nobody is. */
  readonly userId: string | undefined;

  /** The value that `set` stored; undefined if there is none. Changes inside it are kept only by `set`. */
  get<Key extends SessionKey<Data>>(key: Key): SessionValue<Data, Key> | undefined;

  /**
   * Stores a JSON value, when the response is made; also if that is an error. Later writes need `save()`.
   *
   * @throws Error if the value has no JSON form or does not fit the schema, or the response was made and the client
   *   has no session yet.
   */
  set<Key extends SessionKey<Input>>(key: Key, value: SessionValue<Input, Key>): void;

  /** Removes a value. */
  delete(key: SessionKey<Data>): void;

  /**
   * Signs a user in: gives the session a new id, so that one that was planted before is worthless, and makes
   * `ctx.principal()` the user, here and in later requests. Values stay, unless another user was signed in before.
   *
   * @throws Error if the id is empty, or the response was already made.
   */
  signIn(userId: string, options?: SignInOptions): void;

  /** Gives the session a new id and keeps its values. @throws Error if the response was already made. */
  regenerate(): void;

  /**
   * Ends the session and signs out: removes it from the store, and its cookie from a browser that has sent it.
   */
  clear(): void;

  /**
   * Writes now what has changed, for writes after the response was made, such as in an event stream. Returns false
   * if the session ended in the meantime, so that nothing was written.
   *
   * @throws FwError 503 if the store fails.
   */
  save(): Promise<boolean>;

  /** Whether its cookie is for HTTPS alone, so that the app is served over HTTPS. @internal */
  readonly isSecure?: boolean;

  /**
   * Watches the session until `stop()`; undefined if nothing is stored. `ended` is called when it ends in this
   * process. @internal
   */
  watch?(ended: () => void): CredentialWatch | undefined;

  /** All sessions of the user, the last used one first; none if nobody is signed in. */
  list(): Promise<(SessionInfo & { readonly isCurrent: boolean })[]>;

  /** Ends a session of the user by its id; false if they have none of that id. */
  end(id: string): Promise<boolean>;

  /** Ends all other sessions of the user, and returns how many there were. */
  endOthers(): Promise<number>;
}
