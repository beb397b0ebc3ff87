// Node: answers requests for the WebSocket protocol, which node:http gives as the event `upgrade`.
import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Handle } from '../../dispatch/dispatch.js';
import { asksForWebSocket, type UpgradedConnection } from '../../http/upgrade.js';
import { fieldPairs } from '../sent-fields.js';
import { BodyMessage } from './body-message.js';
import { afterEarlier, hasEarlier } from './earlier-responses.js';
import type { IdleBodies } from './idle-bodies.js';
import { send } from './send.js';
import { UpgradeSource } from './upgrade-source.js';

/**
 * The request of fw's own server. node:http detaches every request with `Upgrade` from its parser once somebody
 * listens for upgrades; those for other protocols, such as `h2c`, must stay ordinary requests, because a server may
 * ignore the field (RFC 9110, section 7.8). So does one that is pipelined behind a request whose response is not
 * sent: it is answered in its turn, and node:http still watches the connection for the responses before it.
 */
export class UpgradableMessage extends BodyMessage {
  /** Not private: the constructor of IncomingMessage sets `upgrade` before private fields exist. */
  declare asked: boolean | null;

  get upgrade(): boolean | null {
    if (this.asked !== true || this.method === 'CONNECT') return this.asked;
    // Asked for again when the request may have been answered.
    this.asked = asksForWebSocket(this) && !hasEarlier(this.socket);
    return this.asked;
  }

  set upgrade(value: boolean | null) {
    this.asked = value;
  }
}

/** How long a client may take to close a connection whose upgrade was refused, in milliseconds. */
const LINGER_MS = 1_000;

/** Answers one upgrade: by the handshake, or as an ordinary request whose connection is then closed. */
export function answerUpgrade(
  handle: Handle,
  incoming: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  upgraded: (connection: UpgradedConnection) => void,
  idleBodies?: IdleBodies,
): void {
  // node:http does not watch the connection any more, and without a listener an error would end the process.
  const leave = (): void => void socket.destroy();
  socket.on('error', leave).on('end', leave);
  afterEarlier(incoming.socket, socket, () => {
    const outgoing = new ServerResponse(incoming);
    outgoing.assignSocket(socket as Socket);
    outgoing.shouldKeepAlive = false;
    const source = new UpgradeSource(incoming, outgoing, idleBodies);
    handle(source, (response) => {
      if (response.switchProtocol === undefined) {
        discardRest(socket, outgoing, leave);
        send(response, outgoing, source);
        return;
      }
      outgoing.detachSocket(socket as Socket);
      if (socket.destroyed) return;
      socket.off('error', leave).off('end', leave);
      const connection = response.switchProtocol({ incoming, socket, head }, fieldPairs(response));
      if (connection !== undefined) upgraded(connection);
    });
  });
}

/**
 * What the client sends behind a refused upgrade is read and dropped: left in the buffer, it would hide that the client
 * leaves, and the connection would stay for good. After the response the client has a moment to read it (RFC 9112,
 * section 9.6).
 */
function discardRest(socket: Duplex, outgoing: ServerResponse, leave: () => void): void {
  socket.off('end', leave);
  socket.once('end', () => {
    if (!outgoing.writableEnded) leave();
  });
  outgoing.once('finish', () => {
    socket.end();
    const late = setTimeout(leave, LINGER_MS);
    late.unref();
    socket.once('close', () => clearTimeout(late));
  });
  socket.resume();
}
