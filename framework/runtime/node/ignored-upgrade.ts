// Node: requests that ask for another protocol and stay ordinary ones (RFC 9110, section 7.8).
import type { IncomingMessage, ServerResponse } from 'node:http';

/** The member of a socket that gives the bytes which node:http is reading. */
interface Parsed {
  readonly parser?: { getCurrentBuffer?(): Buffer | undefined } | null;
}

const HEAD_END = Buffer.from('\r\n\r\n');

/**
 * To be called with a request that has the field Upgrade. The parser of node:http stops behind such a request and
 * drops the rest of what has arrived with it, such as a pipelined request: with `Connection: close`, its client
 * knows that there is no answer to come. Alone in its packet, it leaves the connection open.
 */
export function closeBehindUpgrade(incoming: IncomingMessage, outgoing: ServerResponse): void {
  if (!isAlone(incoming)) outgoing.shouldKeepAlive = false;
}

/** Whether the bytes that arrived end with this request; false if that is not certain. */
function isAlone({ socket, headers }: IncomingMessage): boolean {
  const bytes = (socket as Parsed).parser?.getCurrentBuffer?.();
  if (bytes === undefined || headers['transfer-encoding'] !== undefined) return false;
  const end = bytes.indexOf(HEAD_END);
  const rest = bytes.length - end - HEAD_END.length;
  // What follows may not have arrived yet; the parser goes on with it.
  return end >= 0 && rest <= Number(headers['content-length'] ?? 0);
}
