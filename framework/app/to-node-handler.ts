// Node: an App as a plain `(req, res)` listener, for Vite, Express, supertest or any `node:http` server.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { readTarget } from '../http/request-target.js';
import { asksForWebSocket, type UpgradedConnection } from '../http/upgrade.js';
import { checkValue } from '../options/check.js';
import { objectWith } from '../options/rules.js';
import { NodeRequestSource } from '../runtime/node/incoming.js';
import { cut, send } from '../runtime/node/send.js';
import { reportError } from '../tracing/error-channel.js';
import type { App } from './app.js';

/** What `toNodeHandler` makes: a listener for requests, with one for upgrades. */
export interface NodeHandler {
  (req: IncomingMessage, res: ServerResponse): void;
  /**
   * Answers requests for WebSockets: `server.on('upgrade', handler.upgrade)`. Requests for paths that are no
   * WebSocket of the App are left to the other listeners of the server, such as Vite's; if there are none, they are
   * answered like ordinary requests.
   */
  readonly upgrade: (req: IncomingMessage, socket: Duplex, head: Buffer) => void;
  /** Closes all WebSockets with 1001, because `server.close()` leaves them open. */
  closeWebSockets(): void;
}

const APP = objectWith(['handler'], 'an App');

/**
 * Makes a listener for `http.createServer`, `express().use` or Vite's `middlewares.use`. It answers every request,
 * so middleware that is registered after it does not run.
 *
 * ```ts
 * const handler = toNodeHandler(app);
 * const server = createServer(handler).on('upgrade', handler.upgrade);
 * ```
 *
 * @throws ConfigError if it is not an App.
 */
export function toNodeHandler<Prefix extends string>(app: App<Prefix>): NodeHandler {
  checkValue('toNodeHandler', 'the argument', app, APP);
  const handle = app.handler();
  app.announce();
  const open = new Set<UpgradedConnection>();
  // It loads node:http, which importing fw must not.
  const loading = import('../runtime/node/serve.js');
  function fwHandler(req: IncomingMessage, res: ServerResponse): void {
    const source = new NodeRequestSource(req, res);
    if (res.headersSent) {
      leaveBegun(source, res);
      return;
    }
    handle(source, (response) => {
      if (!res.headersSent) {
        send(response, res, source);
        return;
      }
      response.discard();
      // Another Node middleware, such as a timeout, may have answered in the meantime. One that goes on is not cut.
      if (!res.writableEnded) reportBegun(source, { status: 500 });
    });
  }
  function upgrade(req: IncomingMessage, socket: Duplex, head: Buffer): void {
    const isOwn = asksForWebSocket(req) && app.hasWebSocket(req.url as string);
    if (!isOwn && othersListen(req)) return;
    socket.on('error', () => socket.destroy());
    const upgraded = (connection: UpgradedConnection): void => {
      open.add(connection);
      socket.once('close', () => open.delete(connection));
    };
    void loading.then(({ answerUpgrade }) => answerUpgrade(handle, req, socket, head, upgraded));
  }
  function closeWebSockets(): void {
    for (const connection of open) connection.goAway();
  }
  return Object.assign(fwHandler, { upgrade, closeWebSockets });
}

/** A response that nobody would end is cut, as Express does. One that has ended is left as it is. */
function leaveBegun(source: NodeRequestSource, res: ServerResponse): void {
  if (res.writableEnded) return;
  reportBegun(source, { status: res.statusCode, isCut: true });
  cut(res);
}

function reportBegun({ method, target }: NodeRequestSource, outcome: { status: number; isCut?: true }): void {
  const error = new Error(
    'other middleware had already sent the header fields of the response, so that the App cannot answer; ' +
      'let it answer by itself, or pass the request on without writing',
  );
  reportError({ error, ...outcome, method, path: readTarget(target).path });
}

/** Whether the server has more than one listener for upgrades. */
function othersListen({ socket }: IncomingMessage): boolean {
  const { server } = socket as { server?: NodeJS.EventEmitter };
  return (server?.listenerCount('upgrade') ?? 0) > 1;
}
