// Node: answers requests for the WebSocket protocol, which node:http gives as the event `upgrade`.
import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Handle } from '../../dispatch/dispatch.js';
import { clientLeft, shared } from '../../http/shared-signal.js';
import { asksForWebSocket, bearerOf, type UpgradedConnection } from '../../http/upgrade.js';
import { fieldPairs } from '../sent-fields.js';
import { BodyMessage } from './body-message.js';
import type { IdleBodies } from './idle-bodies.js';
import { NodeRequestSource } from './incoming.js';
import { send } from './send.js';

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
    let isAnswered = false;
    let giveBack = (): void => {};
    handle(source, (response) => {
      isAnswered = true;
      giveBack();
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
    // What the client has sent besides would hide that it leaves, for as long as the handler takes.
    if (!isAnswered) giveBack = keepReading(socket);
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

/** The source of a request for the WebSocket protocol, which may carry a token in its sub-protocols. */
class UpgradeSource extends NodeRequestSource {
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
      const abort = () => controller.abort(clientLeft());
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

/** The member of a socket that names the response which is being written; its responses follow one another there. */
interface Sending {
  readonly _httpMessage?: ServerResponse | null;
}

/** Whether a response to an earlier request of the connection is not sent. */
function hasEarlier({ _httpMessage: earlier }: Socket & Sending): boolean {
  return earlier !== undefined && earlier !== null;
}

/** How much a client may send while it waits for the answer to an upgrade: it should send nothing (RFC 6455, section 4.1). */
const MOST_KEPT = 65_536;

/**
 * For servers that have given the connection away. Runs the callback when the responses to all earlier requests of the
 * connection are sent, because responses have the order of the requests (RFC 9112, section 9.3.2). It does not run if
 * the connection is closed before that.
 *
 * @param upgraded the connection, or the stream that stands for it until the body of the request has arrived
 */
function afterEarlier(socket: Socket & Sending, upgraded: Duplex, run: () => void): void {
  if (!hasEarlier(socket)) {
    run();
    return;
  }
  // With a body, node:http still reads the connection. Otherwise nobody would see that the client leaves.
  const giveBack = upgraded === socket ? keepReading(socket) : (): void => {};
  // node:http has taken away its own listener, without which a stream that waits for the client waits for ever.
  const drained = (): void => void socket._httpMessage?.emit('drain');
  const next = (): void => {
    const earlier = socket._httpMessage;
    if (earlier) {
      earlier.once('close', next);
      return;
    }
    socket.off('drain', drained);
    if (socket.destroyed || socket.writableEnded) return;
    giveBack();
    run();
  };
  socket.on('drain', drained);
  next();
}

/** Reads what the client sends, and gives it back; a client that sends too much is not waited for. */
function keepReading(socket: Duplex): () => void {
  const kept: Buffer[] = [];
  let size = 0;
  const keep = (chunk: Buffer): void => {
    kept.push(chunk);
    size += chunk.length;
    if (size > MOST_KEPT) socket.destroy();
  };
  socket.on('data', keep);
  return () => {
    socket.off('data', keep).pause();
    // As node:http gives it away: the next listener starts it, which it does not after pause().
    (socket as { readableFlowing: boolean | null }).readableFlowing = null;
    if (size > 0 && !socket.destroyed) socket.unshift(Buffer.concat(kept));
  };
}
