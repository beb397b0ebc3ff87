// Node: the errors of request bodies that did not arrive whole.
import { FwError } from '../../http/errors.js';
import type { IdleBodies } from './idle-bodies.js';

/** The connection was closed before the body was complete. */
export function clientGone(cause?: unknown): FwError {
  return FwError.badRequest('the client closed the connection before the body was complete', { cause });
}

/** The idle timeout of bodies expired. */
export function stoppedComing({ idleMs }: IdleBodies): FwError {
  return FwError.requestTimeout(`no byte of the request body arrived for ${idleMs} ms`);
}
