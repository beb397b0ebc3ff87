// Node: what a server that listens already must be, to hand its connections to an App.
import type { Server as NetServer } from 'node:net';

/**
 * The event that brings connections ready to be read: of a `tls.Server` those whose handshake is done.
 *
 * @throws Error when the server does not listen, or is an HTTP server, which would read the connections itself.
 */
export function acceptEvent(listener: NetServer): 'connection' | 'secureConnection' {
  if ('requestTimeout' in listener) {
    throw new Error(
      'serveWithShutdown takes a net.Server or tls.Server, not an HTTP server; give that toNodeHandler(app) instead',
    );
  }
  if (!listener.listening) {
    throw new Error('serveWithShutdown needs a server that listens; call listen() on it first');
  }
  return 'setSecureContext' in listener ? 'secureConnection' : 'connection';
}
