// Node: writes an FwResponse to a ServerResponse of any server.
import type { ServerResponse } from 'node:http';
import type { Http2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import { respondToError } from '../../dispatch/error-response.js';
import { type Chunks, checkChunk, readChunks, wrongLength } from '../../http/chunks.js';
import { listsToken } from '../../http/field-list.js';
import type { RequestSource } from '../../http/request-source.js';
import { readTarget } from '../../http/request-target.js';
import { type FwResponse, isBodiless } from '../../http/response.js';
import { isEventStream } from '../../streaming/event-stream.js';
import { writable } from '../../streaming/writable.js';
import { reportError } from '../../tracing/error-channel.js';
import { reportCut } from '../report-cut.js';
import { sentFields } from '../sent-fields.js';

/** Ends a running stream early, as a complete response. */
export type EndStream = () => void;

/**
 * Sends the response. For a stream, which continues after this call, returns a function that ends it early. A head
 * that Node refuses, such as one with two ETags in HTTP/2, is reported and answered 500: nothing else catches that.
 */
export function send(
  response: FwResponse,
  outgoing: ServerResponse,
  source: RequestSource,
): EndStream | undefined {
  try {
    return sendAsItIs(response, outgoing, source);
  } catch (error) {
    if (outgoing.headersSent) throw error;
    response.discard();
    const { method, target } = source;
    reportError({ error, status: 500, method, path: readTarget(target).path });
    for (const name of outgoing.getHeaderNames()) outgoing.removeHeader(name);
    return sendAsItIs(respondToError(error), outgoing, source);
  }
}

function sendAsItIs(
  response: FwResponse,
  outgoing: ServerResponse,
  source: RequestSource,
): EndStream | undefined {
  const { status, stream } = response;
  const isHead = source.method === 'HEAD';
  const fields = sentFields(response, isHead);
  if (stream !== undefined) return sendStream(response, stream, outgoing, source, fields);
  if (status === 204 || status === 304) {
    writeHead(outgoing, status, fields);
    outgoing.end();
    return undefined;
  }
  const content = status === 205 ? '' : response.content;
  // Without a body, only the application knows the length that a GET would have.
  if (!isHead || content.length > 0) fields.push('Content-Length', String(Buffer.byteLength(content)));
  writeHead(outgoing, status, fields);
  // node:http drops the body of a response to HEAD.
  outgoing.end(content);
  return undefined;
}

/**
 * Header fields are sent as Latin-1. node:http would write them in the encoding of the first body text, UTF-8, if
 * both are sent in one write.
 */
function writeHead(outgoing: ServerResponse, status: number, given: string[]): void {
  const fields = forConnection(outgoing, given);
  outgoing.writeHead(status, fields);
  // Stryker disable next-line ConditionalExpression: the empty write is only avoided when it has no effect
  if (NOT_ASCII.test(fields.join(''))) outgoing.write('', 'latin1');
}

// Stryker disable next-line Regex: with only ASCII, the empty write has no effect
const NOT_ASCII = /[\x80-\xff]/;

/** RFC 9113, section 8.2.2: HTTP/2 has no fields of a connection. Node throws for them. */
const OF_CONNECTION: ReadonlySet<string> = new Set([
  'connection',
  'http2-settings',
  'keep-alive',
  'proxy-connection',
  'te',
  'upgrade',
]);

/**
 * The fields as the connection can have them. A response with a `Connection` of its own, such as 426, would keep one
 * open that is to end: node:http adds `close` only where there is no such field (RFC 9112, section 9.6).
 */
function forConnection(outgoing: ServerResponse, fields: string[]): string[] {
  // Undefined over HTTP/2.
  if (outgoing.shouldKeepAlive) return fields;
  const isHttp2 = 'stream' in outgoing;
  const kept: string[] = [];
  for (let index = 0; index < fields.length; index += 2) {
    const [name = '', value = ''] = fields.slice(index, index + 2);
    const lower = name.toLowerCase();
    if (isHttp2 && OF_CONNECTION.has(lower)) continue;
    const isOpen = lower === 'connection' && !listsToken(value, 'close');
    kept.push(name, isOpen ? `${value}, close` : value);
  }
  return kept;
}

function sendStream(
  response: FwResponse,
  stream: AsyncIterable<Uint8Array | string>,
  outgoing: ServerResponse,
  source: RequestSource,
  fields: string[],
): EndStream | undefined {
  const { status } = response;
  writeHead(outgoing, status, fields);
  if (source.method === 'HEAD' || isBodiless(status) || isOver(outgoing)) {
    response.discard();
    outgoing.end();
    return undefined;
  }
  // The first event may come hours later; clients know from the head that the stream is open.
  if (isEventStream(response)) outgoing.flushHeaders();
  const chunks = readChunks(stream);
  pump(chunks, outgoing, response).catch((error) => {
    // An error that a producer throws because it is stopped is not a failure.
    if (isOver(outgoing)) return;
    reportCut(response, error, source);
    cut(outgoing);
  });
  return () => {
    outgoing.end();
    chunks.end();
  };
}

/**
 * Writes chunk after chunk with back-pressure; stops the producer when the client disconnects.
 *
 * @param response whose Content-Length is NaN without one, so that comparisons with it are false.
 */
async function pump(
  chunks: Chunks<Uint8Array | string>,
  outgoing: ServerResponse,
  response: FwResponse,
): Promise<void> {
  const declared = Number(response.headers.get('Content-Length'));
  outgoing.once('close', chunks.end);
  let sent = 0;
  while (!isOver(outgoing)) {
    const { done, value } = await chunks.next();
    if (done) {
      outgoing.off('close', chunks.end);
      if (isOver(outgoing)) return;
      if (sent < declared) throw wrongLength(declared, 'less', response.headers);
      outgoing.end();
      return;
    }
    if (isOver(outgoing)) break;
    checkChunk(value);
    sent += Buffer.byteLength(value);
    if (sent > declared) throw wrongLength(declared, 'more', response.headers);
    if (!outgoing.write(value)) await writable(outgoing);
  }
}

/**
 * The head is already sent, so closing the connection is the only way to show the client that the body is
 * incomplete. What was written before must still be sent: node:http passes it to the socket in the next tick.
 */
export function cut(outgoing: ServerResponse): void {
  // The compatibility response of HTTP/2, where all streams share a socket.
  if ('stream' in outgoing) resetSoon(outgoing.stream as Http2Stream);
  else if (outgoing.socket !== null) endSoon(outgoing.socket);
  // A pipelined response that waits for an earlier one is written once it gets the socket.
  else outgoing.once('socket', endSoon);
}

/** Ends the socket after the writes of the next ticks, because nothing can be written to an ended socket. */
function endSoon(socket: Socket): void {
  setImmediate(() => socket.destroySoon());
}

/** RFC 9113, section 7: some clients take a stream that is destroyed without an error code for complete. */
const INTERNAL_ERROR = 2;

function resetSoon(stream: Http2Stream): void {
  setImmediate(() => stream.close(INTERNAL_ERROR));
}

/**
 * True once the client has disconnected, or the stream was ended early. The compatibility response of HTTP/2 is
 * never destroyed: if its client leaves, it is finished without having been ended.
 */
function isOver(outgoing: ServerResponse): boolean {
  return outgoing.destroyed || outgoing.writableEnded || outgoing.writableFinished;
}
