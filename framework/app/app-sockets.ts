// Registration of WebSockets, whose code is in `fw/websocket`.
import { registerSocket } from '../extract/register-socket.js';
import type { RegisterWebSocket } from '../extract/register-websocket.js';
import { type AnyPath, readPath } from '../extract/route.js';
import { WEBSOCKET } from '../http/upgrade.js';
import { callSite } from '../tracing/call-site.js';
import { AppAccess } from './app-access.js';

export abstract class AppSockets<Prefix extends string> extends AppAccess {
  /**
   * Registers a WebSocket (RFC 6455), made by `websocket` of `fw/websocket`, with up to eight extractors before it.
   * Middleware, guards and extractors run before the upgrade; a handshake that they refuse gets a plain response.
   *
   * ```ts
   * app.websocket('/echo', websocket({ onMessage: (socket, message) => void socket.send(message) }));
   * ```
   *
   * @throws ConfigError when the pattern is malformed or already registered, or an argument is not an extractor or
   * the last one is not a WebSocket.
   */
  readonly websocket: RegisterWebSocket<Prefix, this> = (described: AnyPath, ...args: unknown[]): this => {
    this.assertOpen(`websocket('${readPath(described).path}')`);
    const { path, handler, description } = registerSocket(described, args);
    this.table.add(WEBSOCKET, path, handler, callSite(this.websocket), { description });
    return this;
  };
}
