// Node: the source of a request for the WebSocket protocol, which may carry a token in its sub-protocols.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { shared } from '../../http/shared-signal.js';
import { asksForWebSocket, bearerOf } from '../../http/upgrade.js';
import type { IdleBodies } from './idle-bodies.js';
import { NodeRequestSource } from './incoming.js';

export class UpgradeSource extends NodeRequestSource {
  /** Other servers of Node pass upgrades to any protocol on; those are ignored (RFC 9110, section 7.8). */
  readonly isUpgrade: boolean;
  readonly #authorization: string | undefined;
  readonly #socket: Socket;
  #controller: AbortController | undefined = undefined;

  constructor(incoming: IncomingMessage, outgoing: ServerResponse, idleBodies?: IdleBodies) {
    super(incoming, outgoing, idleBodies);
    this.isUpgrade = asksForWebSocket(incoming);
    this.#socket = incoming.socket;
    this.#authorization = bearerOf(incoming.headers['sec-websocket-protocol']);
  }

  /** Aborts when the connection closes, also after the upgrade. */
  override get signal(): AbortSignal {
    if (this.#controller === undefined) {
      const controller = new AbortController();
      const abort = () => controller.abort(new Error('the client closed the connection'));
      if (this.#socket.destroyed) abort();
      else this.#socket.once('close', abort);
      shared(controller.signal);
      this.#controller = controller;
    }
    return this.#controller.signal;
  }

  override header(lowerName: string): string | undefined {
    const value = super.header(lowerName);
    return value === undefined && lowerName === 'authorization' ? this.#authorization : value;
  }

  override headers(): Record<string, string> {
    const headers = super.headers();
    const { authorization = this.#authorization } = headers;
    if (authorization !== undefined) headers.authorization = authorization;
    return headers;
  }
}
