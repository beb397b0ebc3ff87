// Node: the rest of a request's body gets an end, in bytes and in time, once its answer is sent.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { IdleBodies } from './idle-bodies.js';

/** How much of a body that nobody wants is taken to keep the connection, and to let its client read the answer. */
const MOST_UNREAD = 1024 * 1024;

/** How far the handler got with the body. */
export interface BodyProgress {
  /** Somebody reads it, or did. */
  readonly isBodyBegun: boolean;
  /** Chunks that were handed over. */
  readonly bodyChunks: number;
}

/**
 * To be called with the answer. node:http takes whatever comes of a body that nobody read, for as long as it comes:
 * here it is at most `MOST_UNREAD` bytes and the idle time in all, then the connection is cut.
 */
export function endUnread(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  body: BodyProgress,
  idleBodies: IdleBodies,
): void {
  if (incoming.complete || !hasBody(incoming)) return;
  // Before node:http's own listener, which would take the data away from this one.
  outgoing.prependOnceListener('finish', () => {
    // Another connection than a kept one ends behind the answer.
    if (incoming.complete || !outgoing.shouldKeepAlive) return;
    if (body.isBodyBegun) awaitReader(incoming, body, idleBodies);
    else takeRest(incoming, idleBodies);
  });
}

function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return (length !== undefined && length !== '0') || headers['transfer-encoding'] !== undefined;
}

function takeRest(incoming: IncomingMessage, idleBodies: IdleBodies): void {
  let left = MOST_UNREAD;
  const cut = () => incoming.socket.destroy();
  // The whole rest has the time: a byte now and then must not hold the connection.
  const wait = idleBodies.wait(cut);
  const stop = () => wait.end();
  incoming.once('end', stop).once('close', stop);
  incoming.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) cut();
  });
  // What is there already; node:http then knows that the body is read.
  incoming.read();
}

/** The handler may go on reading behind its answer, as long as it does. */
function awaitReader(incoming: IncomingMessage, body: BodyProgress, idleBodies: IdleBodies): void {
  const { bodyChunks } = body;
  const wait = idleBodies.wait(() => {
    if (incoming.complete || incoming.destroyed) return;
    if (body.bodyChunks === bodyChunks) incoming.socket.destroy();
    else awaitReader(incoming, body, idleBodies);
  });
  incoming.once('close', () => wait.end());
}
