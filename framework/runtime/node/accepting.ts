// Node: checks that a listening server can pass its connections to an App.

import type { Server as NetServer } from 'node:net';
import { ConfigError } from '../../config-error.js';
import { checkValue } from '../../options/check.js';
import { object } from '../../options/rules.js';

const SERVER = object('a net.Server or tls.Server');

/**
 * The event of connections that are ready to be read; for a `tls.Server`, after the handshake.
 *
 * @throws ConfigError if the server is not listening, or is an HTTP server, which reads the connections itself.
 */
export function acceptEvent(listener: NetServer): 'connection' | 'secureConnection' {
  checkValue('serveWithShutdown', 'the server', listener, SERVER);
  if ('requestTimeout' in listener) {
    throw new ConfigError(
      'FW_LISTENER_KIND',
      'serveWithShutdown takes a net.Server or tls.Server, not an HTTP server; give that toNodeHandler(app) instead',
    );
  }
  if (!listener.listening) {
    throw new ConfigError(
      'FW_LISTENER',
      'serveWithShutdown needs a server that listens; call listen() on it first',
    );
  }
  return 'setSecureContext' in listener ? 'secureConnection' : 'connection';
}
