// Registration of WebSockets, whose code is in `fw/websocket`.

import { registerSocket } from '../extract/register-socket.js';
import type { RegisterWebSocket } from '../extract/register-websocket.js';
import { type AnyPath, readPath } from '../extract/route.js';
import { WEBSOCKET } from '../http/upgrade.js';
import { checkValue } from '../options/check.js';
import { pattern } from '../options/rules.js';
import { callSite } from '../tracing/call-site.js';
import { warnUnchecked } from '../tracing/event.js';
import { AppMiddleware } from './app-middleware.js';
import type { Route } from './routes/route-table.js';

export abstract class AppSockets<Prefix extends string> extends AppMiddleware {
  #contract: unknown;

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
    const given = checkValue('websocket', 'the path', readPath(described).path, pattern);
    this.assertOpen(`websocket('${given}')`);
    const { path, handler, description } = registerSocket(described, args);
    this.table.add(WEBSOCKET, path, handler, callSite(this.websocket), { description });
    return this;
  };

  /**
   * Reads the types of events that `events<T>()` declares from the contract file of `fw generate`, so that what
   * clients send over WebSockets is checked by them. With undefined, for a file that does not exist yet, it is not.
   * Like all settings, it belongs on the App that listens.
   *
   * ```ts no-run
   * import contract from './rpc-contract.json' with { type: 'json' };
   * app.useContract(contract);
   * ```
   *
   * A contract of another version of fw makes the start fail.
   *
   * @throws ConfigError when the App already answers requests or is mounted.
   */
  useContract(contract: unknown): this {
    this.assertOpen('useContract');
    this.settings.firstSet ??= 'useContract';
    this.settings.places.set('useContract', callSite(this.useContract));
    this.#contract = contract;
    return this;
  }

  /** The contract of `useContract`. @internal */
  protected get contract(): unknown {
    return this.#contract;
  }

  /** Called once, when all routes are registered: gives WebSockets their checks. @internal */
  protected prepareSockets(): void {
    this.settings.hasWebSockets = this.table.hasSockets;
    const unchecked = this.routes().filter((route) => route.description?.socket?.useChecks !== undefined);
    if (unchecked.length === 0) return;
    if (this.#contract === undefined) reportUnchecked(unchecked);
    else this.settings.load(useContract(this.#contract, unchecked));
  }
}

async function useContract(contract: unknown, routes: readonly Route[]): Promise<void> {
  const { SocketContract } = await import('../rpc/contract/socket-contract.js');
  const sockets = new SocketContract(contract);
  const unknown = routes.filter(({ pattern, description }) => {
    const checks = sockets.checks(pattern.source, description?.path);
    if (checks !== undefined) description?.socket?.useChecks?.(checks);
    return checks === undefined;
  });
  if (unknown.length > 0) reportUnchecked(unknown);
}

/** On `fw:event` if it has a subscriber, else on stderr. */
function reportUnchecked(routes: readonly Route[]): void {
  const paths = routes.map(({ pattern }) => pattern.source);
  const shown = paths.map((path) => `'${path}'`).join(', ');
  const message = `what clients send to the WebSocket ${shown} is not checked: run fw generate and load its contract by app.useContract(), or give schemas`;
  warnUnchecked(message, { sockets: paths });
}
