// Fetch: answers a web Request with a web Response, for `oneshot` and all fetch runtimes.

import type { Handle } from '../dispatch/dispatch.js';
import type { MatchedRoute } from '../dispatch/unmatched.js';
import type { ServingSide } from './serving-side.js';
import { WebRequestSource } from './web-request-source.js';
import { toWebResponse } from './web-response.js';

/**
 * Answers the request; without a promise if nothing had to be awaited, because servers take a Response faster.
 *
 * @param matched the route, if the server has matched it
 * @throws what sealing an App throws.
 */
export function fetchThrough(
  handle: Handle,
  request: Request,
  side?: ServingSide,
  info?: unknown,
  matched?: MatchedRoute,
): Response | Promise<Response> {
  const source = new WebRequestSource(request, side, info, matched?.method);
  return handle(source, toWebResponse, matched);
}
