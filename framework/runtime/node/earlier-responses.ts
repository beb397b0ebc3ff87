// Node: the responses that are still to be sent on a connection when an upgrade is asked for behind them.
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** The member of a socket that names the response which is being written; its responses follow one another there. */
interface Sending {
  readonly _httpMessage?: ServerResponse | null;
}

/** Whether a response to an earlier request of the connection is not sent. */
export function hasEarlier({ _httpMessage: earlier }: Socket & Sending): boolean {
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
export function afterEarlier(socket: Socket & Sending, upgraded: Duplex, run: () => void): void {
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
function keepReading(socket: Socket): () => void {
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
    if (size > 0) socket.unshift(Buffer.concat(kept));
  };
}
