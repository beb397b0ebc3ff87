// Fetch: answers a web Request with a web Response, for `oneshot` and all fetch runtimes.

import type { Handle } from '../dispatch/dispatch.js';
import type { PeerAddress } from '../http/request-source.js';
import { WebRequestSource } from './web-request-source.js';
import { toWebResponse } from './web-response.js';

/**
 * Answers the request. The promise is already resolved if nothing had to be awaited; it rejects if the App cannot
 * be sealed.
 */
export function fetchThrough(
  app: { handler(): Handle },
  request: Request,
  readPeer?: (request: Request) => PeerAddress | undefined,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const source = new WebRequestSource(request, readPeer);
    app.handler()(source, (response) => {
      try {
        resolve(toWebResponse(response, source));
      } catch (error) {
        // Nothing else catches it: the response may come long after this call.
        reject(error as Error);
      }
    });
  });
}
