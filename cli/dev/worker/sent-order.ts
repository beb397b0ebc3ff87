// Recognizes a request that the page about the app sent, so that its record is found again.
import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** The field that `fw dev` adds to what it sends: the secret of this run, a dot, and the number of the order. */
export const ORDER_FIELD = 'fw-order';

/** The number of the order, whose field is removed before the app sees the request; undefined for other requests. */
export function orderOf(request: IncomingMessage, token: string): number | undefined {
  const { rawHeaders } = request;
  const index = rawHeaders.findIndex((name, at) => at % 2 === 0 && name.toLowerCase() === ORDER_FIELD);
  if (index === -1) return undefined;
  const [secret = '', number = ''] = (rawHeaders[index + 1] ?? '').split('.');
  if (!isSame(secret, token) || !/^\d{1,9}$/.test(number)) return undefined;
  // Both are made of `rawHeaders` when they are first asked for, of as many entries as it has had.
  delete request.headers[ORDER_FIELD];
  delete request.headersDistinct[ORDER_FIELD];
  rawHeaders.splice(index, 2);
  return Number(number);
}

function isSame(given: string, token: string): boolean {
  if (given.length !== token.length) return false;
  return timingSafeEqual(Buffer.from(given, 'latin1'), Buffer.from(token, 'latin1'));
}
