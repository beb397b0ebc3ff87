// Responses: the web Response that a response was made of, for runtimes that know more of it than a program can read:
// whether its body is encoded already, or the WebSocket that it hands over. On Node.js there is nothing of that kind.
import { THIS_RUNTIME } from '../this-runtime.js';
import type { FwResponse } from './response.js';

const origins = new WeakMap<FwResponse, Response>();

export function keepOrigin(response: FwResponse, origin: Response): void {
  if (THIS_RUNTIME !== 'Node.js') origins.set(response, origin);
}

export function originOf(response: FwResponse): Response | undefined {
  return origins.get(response);
}

/** Switches the protocol with the runtime's own means, such as a WebSocketPair; undefined for all other Responses. */
export function switchingOrigin(origin: Response, runtime: string = THIS_RUNTIME): (() => never) | undefined {
  if (origin.status !== 101 || runtime === 'Node.js') return undefined;
  return () => {
    throw new Error(`a Response with the status 101 is sent by the server of ${runtime} alone`);
  };
}
