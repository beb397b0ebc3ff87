// Notes what answers a recorded handshake of a WebSocket: the head that the app writes to the socket.
import type { Duplex } from 'node:stream';
import { CapturedBody } from './captured-body.js';
import { type Answer, type Head, parseFields, type Watched } from './response-watch.js';

/** A longer head is not waited for. */
const longestHead = 32 * 1024;

type Write = (...args: unknown[]) => never;

export function watchUpgrade(socket: Duplex, of: Watched): Answer {
  let text = '';
  let head: Head | undefined;
  const write = socket.write as unknown as Write;
  const end = socket.end as unknown as Write;

  const look = (chunk: unknown): void => {
    if (head !== undefined || text.length > longestHead) return;
    if (typeof chunk === 'string') text += chunk;
    else if (chunk instanceof Uint8Array) text += Buffer.from(chunk).toString('latin1');
    const until = text.indexOf('\r\n\r\n');
    if (until === -1) return;
    const status = /^HTTP\/1\.1 (\d{3})/.exec(text)?.[1];
    if (status === undefined) return;
    head = { status: Number(status), fields: parseFields(text.slice(0, until)) };
    unwatch();
    of.end('answered');
  };
  const unwatch = (): void => {
    // Frames pass as they would without a recorder.
    socket.write = write as unknown as typeof socket.write;
    socket.end = end as unknown as typeof socket.end;
  };

  socket.write = function writeRecorded(...args: unknown[]) {
    of.note(() => look(args[0]));
    return write.apply(socket, args);
  } as typeof socket.write;
  socket.end = function endRecorded(...args: unknown[]) {
    of.note(() => look(args[0]));
    return end.apply(socket, args);
  } as typeof socket.end;
  socket.once('close', () => of.end('aborted'));
  return { body: new CapturedBody(), head: () => head };
}
