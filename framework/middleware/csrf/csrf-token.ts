// CSRF: tokens, signed with the secret of the application and bound to a session.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** HMAC-SHA-256 and 16 random bytes, both in base64url. */
const TOKEN = /^[A-Za-z0-9_-]{43}\.[A-Za-z0-9_-]{22}$/;
const MAC_LENGTH = 43;

/** Makes and checks tokens. The first secret signs; the others are accepted, so that secrets can be replaced. */
export class TokenSigner {
  readonly #secrets: readonly string[];

  constructor(secrets: readonly string[]) {
    this.#secrets = secrets;
  }

  /** A new token for a session; `session` is its id, or empty without one. */
  make(session: string): string {
    const random = randomBytes(16).toString('base64url');
    return `${macOf(this.#secrets[0] ?? '', session, random)}.${random}`;
  }

  /** Whether a token was made here, for this session. */
  isValid(token: string, session: string): boolean {
    if (!TOKEN.test(token)) return false;
    const random = token.slice(MAC_LENGTH + 1);
    const mac = token.slice(0, MAC_LENGTH);
    return this.#secrets.some((secret) => equal(mac, macOf(secret, session, random)));
  }
}

/** Compares in constant time. */
export function equal(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** The label keeps a secret that signs other things too from giving tokens. */
function macOf(secret: string, session: string, random: string): string {
  return createHmac('sha256', secret).update(`fw csrf\n${session}\n${random}`).digest('base64url');
}
