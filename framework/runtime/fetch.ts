// Fetch: answers a web Request with a web Response, for `oneshot` and all fetch runtimes.

import type { Handle } from '../dispatch/dispatch.js';
import type { ServingSide } from './serving-side.js';
import { WebRequestSource } from './web-request-source.js';
import { toWebResponse } from './web-response.js';

interface Settle {
  resolve(response: Response): void;
  reject(error: unknown): void;
}

/**
 * Answers the request; without a promise if nothing had to be awaited, because servers take a Response faster.
 *
 * @throws what sealing an App throws.
 */
export function fetchThrough(
  handle: Handle,
  request: Request,
  side?: ServingSide,
  info?: unknown,
): Response | Promise<Response> {
  const source = new WebRequestSource(request, side, info);
  let made: Response | undefined;
  let later: Settle | undefined;
  handle(source, (response) => {
    if (later === undefined) {
      made = toWebResponse(response, source);
      return;
    }
    try {
      later.resolve(toWebResponse(response, source));
    } catch (error) {
      // Nothing else catches it here.
      later.reject(error);
    }
  });
  if (made !== undefined) return made;
  return new Promise((resolve, reject) => {
    later = { resolve, reject };
  });
}
