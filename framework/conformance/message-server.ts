// Conformance: a node:http server with its own class of messages, and what a client writes to it.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { BodyMessage } from '../runtime/node/body-message.js';

const closing: (() => void)[] = [];
/** Closes what the test has opened. */
export function closeAll(): void {
  for (const close of closing.splice(0)) close();
}

/** A server whose requests are instances of the class. @returns its port */
export async function serveMessages(
  Message: typeof BodyMessage,
  handle: (incoming: BodyMessage, outgoing: ServerResponse) => unknown,
): Promise<number> {
  const server = createServer(
    { IncomingMessage: Message as typeof IncomingMessage },
    (incoming, outgoing) => {
      handle(incoming as BodyMessage, outgoing);
    },
  ).listen(0, '127.0.0.1');
  closing.push(() => {
    server.close();
    server.closeAllConnections();
  });
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** A connection of a test, which may break. */
export function client(port: number): Socket {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  closing.push(() => socket.destroy());
  return socket;
}

/** A request with a body, of which more may follow. */
export const post = (body: string, length: number = body.length): string =>
  `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n${body}`;
/** A request whose body has the chunked coding. */
export const chunked = (...chunks: string[]): string =>
  `POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${chunks
    .map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`)
    .join('')}0\r\n\r\n`;
/** Lets the events happen that are ready. */
export const laterTick = (): Promise<unknown> => new Promise(setImmediate);
