// Node: writes an FwResponse to a ServerResponse, whoever made that.
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { readTarget } from '../path.js';
import type { RequestSource } from '../request-source.js';
import type { FwResponse } from '../response.js';
import { type Chunks, readChunks } from '../streaming/chunks.js';
import { isEventStream } from '../streaming/event-stream.js';
import { writable } from '../streaming/writable.js';
import { reportError } from '../tracing/error-channel.js';

/** Ends a running stream in the middle, in good order. */
export type EndStream = () => void;

/** Sends the response. A stream goes on afterwards; what is returned ends it before its time. */
export function send(
  response: FwResponse,
  outgoing: ServerResponse,
  source: RequestSource,
): EndStream | undefined {
  const { status } = response;
  const fields = fieldsOf(response);
  if (response.isStream) return sendStream(response, outgoing, source, fields);
  if (status === 204 || status === 304) {
    writeHead(outgoing, status, fields);
    outgoing.end();
    return undefined;
  }
  const content = status === 205 ? '' : (response.content as string | Uint8Array);
  fields.push('Content-Length', String(Buffer.byteLength(content)));
  writeHead(outgoing, status, fields);
  // node:http drops the body of an answer to HEAD.
  outgoing.end(content);
  return undefined;
}

/**
 * Fields are Latin-1 on the wire. node:http would write them in the encoding of the first text of the body, which is
 * UTF-8, where both go in one piece.
 */
function writeHead(outgoing: ServerResponse, status: number, fields: string[]): void {
  outgoing.writeHead(status, fields);
  if (NOT_ASCII.test(fields.join(''))) outgoing.write('', 'latin1');
}

const NOT_ASCII = /[\x80-\xff]/;

/** Names and values in turn, as writeHead takes them; the length is the server's to say. */
function fieldsOf(response: FwResponse): string[] {
  const { headers, stamps, status, isStream } = response;
  // RFC 9110, section 8.6: no length with a 204; only a stream knows its own, and events never end.
  if (!isStream || status === 204 || status === 205 || isEventStream(response)) {
    headers.delete('Content-Length');
  }
  const fields: string[] = [];
  for (const [name, value] of headers) fields.push(name, value);
  for (const [name, value] of stamps) if (!headers.has(name)) fields.push(name, value);
  return fields;
}

function sendStream(
  response: FwResponse,
  outgoing: ServerResponse,
  source: RequestSource,
  fields: string[],
): EndStream | undefined {
  const { status } = response;
  const stream = response.content as AsyncIterable<Uint8Array | string>;
  writeHead(outgoing, status, fields);
  if (source.method === 'HEAD' || status === 204 || status === 205 || status === 304 || outgoing.destroyed) {
    readChunks(stream).end();
    outgoing.end();
    return undefined;
  }
  // The first event may be hours away; clients tell by the head that the stream is open.
  if (isEventStream(response)) outgoing.flushHeaders();
  const chunks = readChunks(stream);
  const declared = response.headers.get('Content-Length');
  pump(chunks, outgoing, declared === undefined ? undefined : Number(declared)).catch((error) => {
    // What a producer throws because it is being stopped is no failure.
    if (isOver(outgoing)) return;
    reportError({ error, status, method: source.method, path: readTarget(source.target).path });
    cut(outgoing);
  });
  return () => {
    outgoing.end();
    chunks.end();
  };
}

/** Writes chunk after chunk, waiting while the client reads slower; ends the producer when the client leaves. */
async function pump(
  chunks: Chunks<Uint8Array | string>,
  outgoing: ServerResponse,
  declared: number | undefined,
): Promise<void> {
  outgoing.once('close', chunks.end);
  let sent = 0;
  while (!isOver(outgoing)) {
    const { done, value } = await chunks.next();
    if (done) {
      outgoing.off('close', chunks.end);
      if (isOver(outgoing)) return;
      if (declared !== undefined && sent < declared) throw wrongLength(declared, 'less');
      outgoing.end();
      return;
    }
    if (isOver(outgoing)) break;
    sent += Buffer.byteLength(value);
    if (declared !== undefined && sent > declared) throw wrongLength(declared, 'more');
    if (!outgoing.write(value)) await writable(outgoing);
  }
}

/**
 * The head is gone already: cutting the connection is the only way to tell the client that something is missing.
 * What was written before is still on its way: node:http gives it to the socket in the next tick.
 */
function cut(outgoing: ServerResponse): void {
  // The compatible response of HTTP/2, where one socket has the streams of all.
  if ('stream' in outgoing) outgoing.destroy();
  else if (outgoing.socket !== null) endSoon(outgoing.socket);
  // An answer that waits behind another one of its connection is written once it gets the socket.
  else outgoing.once('socket', endSoon);
}

/** After what the next ticks write: to an ended socket nothing is written any more. */
function endSoon(socket: Socket): void {
  setImmediate(() => socket.destroySoon());
}

/** True once the client left, or the stream was ended before its time. */
function isOver(outgoing: ServerResponse): boolean {
  return outgoing.destroyed || outgoing.writableEnded;
}

function wrongLength(declared: number, what: 'more' | 'less'): Error {
  return new Error(`the stream gave ${what} than its Content-Length of ${declared} bytes`);
}
