// Node: limits the rest of a request body, in bytes and in time, after the response is sent.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { IdleBodies } from './idle-bodies.js';

/** How many bytes of an unread body are read, to keep the connection and to let the client read the response. */
const MOST_UNREAD = 1024 * 1024;

/** How far the handler has read the body. */
export interface BodyProgress {
  /** Whether the handler reads it, or did. */
  readonly isBodyBegun: boolean;
  /** The number of chunks that the handler has got. */
  readonly bodyChunks: number;
}

/**
 * Must be called with the response. node:http reads all of an unread body, for as long as it takes; here at most
 * `MOST_UNREAD` bytes are read, for at most the idle timeout in total. Then the connection is closed.
 */
export function endUnread(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  body: BodyProgress,
  idleBodies: IdleBodies,
): void {
  if (incoming.complete || !hasBody(incoming)) return;
  // Before node:http's own listener, which would consume the data.
  outgoing.prependOnceListener('finish', () => {
    if (incoming.complete) return;
    if (!outgoing.shouldKeepAlive) {
      linger(incoming);
      return;
    }
    if (body.isBodyBegun) awaitReader(incoming, body, idleBodies);
    else takeRest(incoming, idleBodies);
  });
}

function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return (length !== undefined && length !== '0') || headers['transfer-encoding'] !== undefined;
}

/** How long a client that still sends its body may take to read the response, in milliseconds. */
const LINGER_MS = 1_000;

/**
 * A connection that is not kept is closed after the response. If that is done while the client sends, its system may
 * drop the response before the client has read it: so the rest is read and dropped for a moment (RFC 9112, section 9.6).
 */
function linger(incoming: IncomingMessage): void {
  const { socket } = incoming;
  // node:http calls it once the response is written.
  socket.destroySoon = () => {
    let left = MOST_UNREAD;
    const late = setTimeout(() => socket.destroy(), LINGER_MS);
    late.unref();
    socket.once('close', () => clearTimeout(late));
    incoming.once('end', () => socket.destroy());
    incoming.on('data', (chunk: Buffer) => {
      left -= chunk.length;
      if (left < 0) socket.destroy();
    });
    incoming.resume();
    socket.end();
  };
}

function takeRest(incoming: IncomingMessage, idleBodies: IdleBodies): void {
  let left = MOST_UNREAD;
  const cut = () => incoming.socket.destroy();
  // The timeout is for the whole rest: a byte now and then must not keep the connection open.
  const wait = idleBodies.wait(cut);
  const stop = () => wait.end();
  incoming.once('end', stop).once('close', stop);
  incoming.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) cut();
  });
  // Reads what has already arrived; node:http then knows that the body is read.
  incoming.read();
}

/** The handler may continue to read after its response, as long as it makes progress. */
function awaitReader(incoming: IncomingMessage, body: BodyProgress, idleBodies: IdleBodies): void {
  const { bodyChunks } = body;
  const wait = idleBodies.wait(() => {
    if (incoming.complete || incoming.destroyed) return;
    if (body.bodyChunks === bodyChunks) incoming.socket.destroy();
    else awaitReader(incoming, body, idleBodies);
  });
  incoming.once('close', () => wait.end());
}
