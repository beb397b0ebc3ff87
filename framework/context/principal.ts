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
