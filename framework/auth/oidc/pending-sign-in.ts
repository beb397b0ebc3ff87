// OIDC: a sign-in that has begun, kept in a cookie of the browser until the provider sends it back.

/** What binds the answer of the provider to this browser. */
export interface PendingSignIn {
  readonly state: string;
  readonly nonce: string;
  /** Proves to the provider that the code is redeemed by whom it was made for (RFC 7636). */
  readonly verifier: string;
  /** The path that the browser ends up at. */
  readonly returnTo: string;
}

export function writtenPending(pending: PendingSignIn): string {
  return Buffer.from(JSON.stringify(pending)).toString('base64url');
}

/** Undefined if the cookie is absent or was not written by `writtenPending`. */
export function readPending(cookie: string | undefined): PendingSignIn | undefined {
  if (cookie === undefined || !/^[\w-]{1,3000}$/.test(cookie)) return undefined;
  try {
    const found = JSON.parse(
      Buffer.from(cookie, 'base64url').toString('utf8'),
    ) as Partial<PendingSignIn> | null;
    const { state, nonce, verifier, returnTo } = found ?? {};
    const isWhole = [state, nonce, verifier].every((one) => typeof one === 'string' && one.length >= 32);
    const path = localPath(returnTo);
    return isWhole && path !== undefined ? ({ ...found, returnTo: path } as PendingSignIn) : undefined;
  } catch {
    // Not JSON: the sign-in was not begun here.
    return undefined;
  }
}

/**
 * A path of this server. Browsers take `//host` and `/\host` for other servers, and leave out tabs and line ends
 * (WHATWG URL, section 4.4).
 */
export function localPath(path: unknown): string | undefined {
  if (typeof path !== 'string' || path.length > 1000) return undefined;
  return /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(path) ? path : undefined;
}
