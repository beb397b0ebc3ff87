// Identity records: who makes a request, as middleware for authentication found out.

/** Who makes a request, whichever way it was authenticated. Roles are scopes, such as `role:admin`. */
export interface PrincipalRecord {
  /** The claim `sub` of a JWT, the id of an API key, or the user of a session. */
  readonly id: string | undefined;
  readonly scopes: readonly string[];
}

/** An API key, as the store of keys knows it. */
export interface ApiKeyIdentity {
  /** The label of the key, never the key. */
  readonly id: string;
  readonly scopes: readonly string[];
}

/** The verified claims of a JWT (RFC 7519, section 4). */
export type JwtClaims = Readonly<Record<string, unknown>>;

/** A token, a key or a session. What a request opens, such as a WebSocket, ends with it. */
export interface Credential {
  /** When it ends by itself, in milliseconds since 1970; undefined if that is not known. */
  readonly expiresAtMs?: number | undefined;
  /** Begins to watch it. `ended` is called when it ends in this process. Undefined if there is nothing to watch. */
  readonly watch?: ((ended: () => void) => CredentialWatch | undefined) | undefined;
  /** Why what it opened has ended, for the client: `the token has expired`. */
  readonly ending: string;
  /** The scheme of the `Authorization` field that it was in; undefined if it was elsewhere. */
  readonly scheme?: 'Bearer' | undefined;
  /** Whether it was in a cookie, which browsers send also with requests that another site has made. */
  readonly isCookie?: boolean;
}

/** Watches a credential, for something that lives longer than the request. */
export interface CredentialWatch {
  /**
   * Whether it still holds. `isUsed` says that the client has used what it opened, which prolongs a session.
   *
   * @throws what its store throws.
   */
  check(isUsed: boolean): boolean | Promise<boolean>;
  stop(): void;
}

/** Whether a value is the id of somebody and what they may do: a text of scopes would have each of its parts as a scope. */
export function isPrincipal(
  value: unknown,
): value is { readonly id: string; readonly scopes: readonly string[] } {
  if (typeof value !== 'object' || value === null) return false;
  const { id, scopes } = value as Partial<PrincipalRecord>;
  return typeof id === 'string' && areScopes(scopes);
}

export function areScopes(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((scope) => typeof scope === 'string');
}
