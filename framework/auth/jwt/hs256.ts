// JWT: tokens that are signed with HMAC SHA-256 (RFC 7515; RFC 7518, section 3.2).
import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import { ConfigError } from '../../config-error.js';
import type { JwtClaims } from '../../context/principal.js';
import { noteSecret } from '../../tracing/secrets.js';
import { isPlainHeader, jsonObject } from './token-parts.js';

/** In bytes: a key must be at least as long as the digest (RFC 7518, section 3.2). */
const SHORTEST_SECRET = 32;

const HEADER = Buffer.from('{"alg":"HS256","typ":"JWT"}').toString('base64url');

/** A secret, as text or as bytes. */
export type JwtSecret = string | Uint8Array;

/** @throws ConfigError if it is missing or too short */
export function secretKey(who: string, secret: JwtSecret | undefined): KeyObject {
  const bytes = typeof secret === 'string' ? Buffer.from(secret) : secret;
  if (bytes instanceof Uint8Array && bytes.length >= SHORTEST_SECRET) return createSecretKey(bytes);
  const problem =
    bytes instanceof Uint8Array
      ? `has ${bytes.length} bytes; it needs at least ${SHORTEST_SECRET}`
      : `is ${secret === undefined || secret === null ? 'missing' : `of type ${typeof secret}`}`;
  throw new ConfigError(
    'FW_SECRET',
    `the secret of ${who} ${problem}. Make one with: node -p "crypto.randomBytes(32).toString('base64url')"`,
  );
}

/** The compact form of the claims, signed. */
export function signHs256(claims: JwtClaims, key: KeyObject): string {
  const signed = `${HEADER}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`;
  const token = `${signed}.${mac(signed, key)}`;
  noteSecret(token);
  return token;
}

/** The claims of a token that one of the keys signed; undefined for all other tokens. */
export function verifyHs256(token: string, keys: readonly KeyObject[]): JwtClaims | undefined {
  const first = token.indexOf('.');
  const last = token.indexOf('.', first + 1);
  // Stryker disable next-line all: with another number of parts, no signature is the right one
  if (first <= 0 || last === -1 || token.indexOf('.', last + 1) !== -1) return undefined;
  if (!hasGoodHeader(token.slice(0, first))) return undefined;
  const signature = token.slice(last + 1);
  const signed = token.slice(0, last);
  if (!keys.some((key) => isEqual(mac(signed, key), signature))) return undefined;
  return jsonObject(token.slice(first + 1, last));
}

function mac(signed: string, key: KeyObject): string {
  return createHmac('sha256', key).update(signed).digest('base64url');
}

/** Compares the encoded forms, so that a signature has one spelling. */
function isEqual(expected: string, presented: string): boolean {
  const a = Buffer.from(expected);
  const b = Buffer.from(presented);
  return a.length === b.length && timingSafeEqual(a, b);
}

function hasGoodHeader(part: string): boolean {
  // Nearly all tokens have the header that `sign` writes.
  // Stryker disable next-line ConditionalExpression: it only saves time
  if (part === HEADER) return true;
  const header = jsonObject(part);
  return header !== undefined && header.alg === 'HS256' && isPlainHeader(header);
}
