// Upgrades: a response that switches the connection of its request to another protocol (RFC 9110, section 7.8).
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { listMembers, listsToken } from './field-list.js';

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

/** A connection of a server that speaks the WebSocket protocol itself, as those of Bun and Deno: it sends whole messages. */
export interface ServedSocket {
  /** Bytes that the client has not taken yet. */
  readonly bufferedBytes: number;
  send(message: string | Uint8Array, compress: boolean): void;
  /** Undefined if the server pings by itself, and closes what does not answer. */
  readonly ping: (() => void) | undefined;
  /** Sends a close frame; the event `closed` follows at once. */
  close(code: number, reason: string): void;
  terminate(): void;
}

/** What happens on it. */
export interface ServedEvents {
  message(message: string | Uint8Array): void;
  /** A ping or a pong, which the server has answered. */
  control(bytes: number): void;
  /** The client has taken some of what waited. */
  drained(): void;
  closed(code: number, reason: string): void;
}

/** A request for a WebSocket on such a server. */
export interface ServedUpgrade {
  /** The response 101, if the server wants to get it, once it is upgraded. */
  readonly response?: Response | undefined;
  /** Writes the response 101, or makes it. Undefined if the client has left in the meantime. */
  serve(
    events: ServedEvents,
    protocol: string,
    fields: readonly (readonly [name: string, value: string])[],
  ): ServedSocket | undefined;
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
  request: UpgradeRequest | ServedUpgrade,
  fields: readonly (readonly [name: string, value: string])[],
) => UpgradedConnection | undefined;

/**
 * RFC 6455, section 4.2.1: a GET request with `Upgrade: websocket`; the server checks the rest. In HTTP/1.0 the field
 * must be ignored (RFC 9110, section 7.8).
 */
export function asksForWebSocket({ method, headers, httpVersion }: IncomingMessage): boolean {
  return method === 'GET' && httpVersion === '1.1' && listsToken(headers.upgrade, 'websocket');
}

/**
 * Browsers cannot set header fields of a WebSocket handshake, only its sub-protocols: a token among them is given to
 * the application as `Authorization: Bearer`.
 */
export function bearerOf(protocols: string | undefined): string | undefined {
  if (protocols === undefined) return undefined;
  const member = listMembers(protocols).find((one) => one.startsWith(TOKEN_PROTOCOL));
  if (member === undefined) return undefined;
  const token = Buffer.from(member.slice(TOKEN_PROTOCOL.length), 'base64url').toString();
  // RFC 6750, section 2.1: tokens are visible ASCII; anything else would be another header value.
  return /^[\x21-\x7e]+$/.test(token) ? `Bearer ${token}` : undefined;
}
