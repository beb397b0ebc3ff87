// Signals of requests, which everything that the request does may listen to.

/** The module is there before it is asked for: Node.js itself has loaded it. */
let events: Partial<typeof import('node:events')> | undefined;

/** The same signal. Without this, Node.js 20 warns of a leak at the eleventh listener. */
export function shared(signal: AbortSignal): AbortSignal {
  events ??= globalThis.process?.getBuiltinModule?.('node:events') ?? {};
  events.setMaxListeners?.(0, signal);
  return signal;
}
