// Upgrades: a response that switches the connection of its request to another protocol (RFC 9110, section 7.8).
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { listsToken } from './field-list.js';

/** The method under which WebSocket routes are registered; on the wire, their requests are `GET`. */
export const WEBSOCKET = 'WEBSOCKET';

/** Begins the sub-protocol that carries a token, in base64url; it is never selected. */
export const TOKEN_PROTOCOL = 'fw.bearer.';

/** A connection whose request asks for another protocol, as servers of Node give it. */
export interface UpgradeRequest {
  readonly incoming: IncomingMessage;
  readonly socket: Duplex;
  /** What the client has sent after the request. */
  readonly head: Buffer;
}

/** A connection that uses the other protocol. */
export interface UpgradedConnection {
  /** Called when the server drains. */
  goAway(): void;
}

/**
 * Switches the protocol: writes the response with these header fields. Undefined if the client has left in the
 * meantime.
 */
export type SwitchProtocol = (
  request: UpgradeRequest,
  fields: readonly (readonly [name: string, value: string])[],
) => UpgradedConnection | undefined;

/**
 * RFC 6455, section 4.2.1: a GET request with `Upgrade: websocket`; the server checks the rest. In HTTP/1.0 the field
 * must be ignored (RFC 9110, section 7.8).
 */
export function asksForWebSocket({ method, headers, httpVersion }: IncomingMessage): boolean {
  return method === 'GET' && httpVersion === '1.1' && listsToken(headers.upgrade, 'websocket');
}
