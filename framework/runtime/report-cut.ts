// Servers: reports an error that has cut off a response.
import { CutStream } from '../http/chunks.js';
import { isThrown } from '../http/errors.js';
import type { RequestSource } from '../http/request-source.js';
import { readTarget } from '../http/request-target.js';
import type { FwResponse } from '../http/response.js';
import { reportError } from '../tracing/error-channel.js';

/** In the async context of the handler, also if middleware has put a stream around its own. */
export function reportCut(response: FwResponse, error: unknown, source: RequestSource): void {
  if (isThrown(error, CutStream)) return;
  const { method } = source;
  const { path } = readTarget(source.target);
  const [producer = response.handed] = response.replaced;
  const { status } = response;
  producer?.inContext(() => reportError({ error, status, isCut: true, method, path }));
}
