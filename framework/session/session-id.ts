// Sessions: the secret in the cookie, and the key by which stores know it.
import { hash, randomBytes } from 'node:crypto';

/** 32 bytes in base64url (RFC 4648, section 5), as which both secrets and keys are written. */
const BYTES_32 = /^[A-Za-z0-9_-]{43}$/;

/** A secret of 256 random bits. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

export function isSecret(text: string): boolean {
  return BYTES_32.test(text);
}

export function isKey(text: string): boolean {
  return BYTES_32.test(text);
}

/** The SHA-256 digest of a secret: whoever reads the store cannot take over a session. */
export function keyOf(secret: string): string {
  return hash('sha256', secret, 'base64url');
}
