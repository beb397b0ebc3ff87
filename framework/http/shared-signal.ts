// Signals of requests, which everything that the request does may listen to.

import { FwError } from './errors.js';

/** Why a signal aborts when its client leaves: who passes it on has not failed, so that it is an error of the client. */
export function clientLeft(): FwError {
  return FwError.badRequest('the client closed the connection');
}

/** The module is there before it is asked for: Node.js itself has loaded it. */
let events: Partial<typeof import('node:events')> | undefined;

/** The same signal. Without this, Node.js 20 warns of a leak at the eleventh listener. */
export function shared(signal: AbortSignal): AbortSignal {
  events ??= globalThis.process?.getBuiltinModule?.('node:events') ?? {};
  events.setMaxListeners?.(0, signal);
  return signal;
}
