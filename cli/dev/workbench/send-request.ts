// Sends a request of the page to the app, through the port of `fw dev`, as any client would.
import http from 'node:http';
import https from 'node:https';
import type { BoundAddress } from '../../process/messages.js';
import type { ReadyRequest } from './send-order.js';

/** A wildcard address is reached on loopback. */
function reachable({ address }: BoundAddress): string {
  if (address === '0.0.0.0') return '127.0.0.1';
  return address === '::' ? '::1' : address;
}

/**
 * Resolves when the whole answer was read; rejects if there is none, or when the signal aborts.
 *
 * @param mark the field by which the worker knows the request
 */
export function sendRequest(
  { method, target, isEncrypted, fields, body }: ReadyRequest,
  to: BoundAddress,
  mark: readonly [name: string, value: string],
  signal: AbortSignal,
): Promise<void> {
  return new Promise((settle, reject) => {
    const options: https.RequestOptions = {
      host: reachable(to),
      port: to.port,
      method,
      path: target,
      headers: [...fields, mark, ['Connection', 'close'] as const].flat(),
      agent: false,
      // The certificate of a developer, for whatever name.
      rejectUnauthorized: false,
      signal,
    };
    const request = (isEncrypted ? https : http).request(options, (response) => {
      response.once('error', reject).once('end', settle).resume();
    });
    request.once('error', reject).end(body);
  });
}
