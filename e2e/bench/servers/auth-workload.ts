// What the contenders of the bench of authentication share.
import { createHmac } from 'node:crypto';

export const secret = 'a secret of at least 32 bytes, for the bench';

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const signed = `${part({ alg: 'HS256', typ: 'JWT' })}.${part({
  sub: 'ada',
  iat: 1_700_000_000,
  exp: 4_000_000_000,
  scope: 'orders:read orders:write',
})}`;

/** A token that is valid for a long time. */
export const token: string = `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;

/** 1,000 API keys. */
export const keys: readonly string[] = Array.from({ length: 1000 }, (_, index) =>
  createHmac('sha256', secret).update(`key ${index}`).digest('base64url'),
);
