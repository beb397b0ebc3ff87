// Node: the source of a request for the WebSocket protocol, which may carry a token in its sub-protocols.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { listMembers } from '../../http/field-list.js';
import { shared } from '../../http/shared-signal.js';
import { asksForWebSocket, TOKEN_PROTOCOL } from '../../http/upgrade.js';
import type { IdleBodies } from './idle-bodies.js';
import { NodeRequestSource } from './incoming.js';

/**
 * Browsers cannot set header fields of a WebSocket handshake, only its sub-protocols: a token among them is given to
 * the application as `Authorization: Bearer`.
 */
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
    this.#authorization = bearer(incoming.headers['sec-websocket-protocol']);
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

function bearer(protocols: string | undefined): string | undefined {
  if (protocols === undefined) return undefined;
  const member = listMembers(protocols).find((one) => one.startsWith(TOKEN_PROTOCOL));
  if (member === undefined) return undefined;
  const token = Buffer.from(member.slice(TOKEN_PROTOCOL.length), 'base64url').toString();
  // RFC 6750, section 2.1: tokens are visible ASCII; anything else would be another header value.
  return /^[\x21-\x7e]+$/.test(token) ? `Bearer ${token}` : undefined;
}
