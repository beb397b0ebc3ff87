// Accounts: the secret of a token, and the digest by which it is found.
import { createHash, randomBytes } from 'node:crypto';
import { noteSecret } from '../../tracing/secrets.js';

/** 32 random bytes in base64url (RFC 4648, section 5). */
const FORM = /^[\w-]{43}$/;

/** A secret that nobody can guess: 256 random bits, 43 characters that need no escape in addresses. */
export function newSecret(): string {
  const secret = randomBytes(32).toString('base64url');
  noteSecret(secret);
  return secret;
}

/** What a store keeps of a secret. As it is random and long, a fast digest is enough. */
export function keyOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}

/** Whether a text from outside can be such a secret, so that nothing else is digested or looked up. */
export function isSecret(presented: unknown): presented is string {
  return typeof presented === 'string' && FORM.test(presented);
}
