// OIDC: a sign-in that has begun, kept in a cookie of the browser until the provider sends it back.
import { localPath } from '../../http/local-path.js';

/** What binds the answer of the provider to this browser. */
export interface PendingSignIn {
  /** The provider that it began at: another one must not end it (RFC 9700, section 4.4.2). */
  readonly issuer: string;
  /** Where that provider sends the browser back to, which is where it must arrive (RFC 9700, section 4.4.2.2). */
  readonly redirectUri: string;
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

/** Undefined if the cookie is absent, was not written by `writtenPending`, or began at another provider. */
export function readPending(
  cookie: string | undefined,
  expected: Pick<PendingSignIn, 'issuer' | 'redirectUri'>,
): PendingSignIn | undefined {
  if (cookie === undefined || !/^[\w-]{1,3000}$/.test(cookie)) return undefined;
  try {
    const found = JSON.parse(
      Buffer.from(cookie, 'base64url').toString('utf8'),
    ) as Partial<PendingSignIn> | null;
    const { issuer, redirectUri, state, nonce, verifier, returnTo } = found ?? {};
    if (issuer !== expected.issuer || redirectUri !== expected.redirectUri) return undefined;
    const isWhole = [state, nonce, verifier].every((one) => typeof one === 'string' && one.length >= 32);
    const path = localPath(returnTo);
    return isWhole && path !== undefined ? ({ ...found, returnTo: path } as PendingSignIn) : undefined;
  } catch {
    // Not JSON: the sign-in was not begun here.
    return undefined;
  }
}
