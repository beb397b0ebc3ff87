// Node: writes an FwResponse to a ServerResponse, whoever made that.
import type { ServerResponse } from 'node:http';
import { readTarget } from '../path.js';
import type { RequestSource } from '../request-source.js';
import type { FwResponse } from '../response.js';
import { readChunks } from '../streaming/chunks.js';
import { reportError } from '../tracing/error-channel.js';

/** Sends the response; a stream goes on afterwards. */
export function send(response: FwResponse, outgoing: ServerResponse, source: RequestSource): void {
  const { status } = response;
  const fields = fieldsOf(response);
  if (response.isStream) {
    sendStream(response, outgoing, source, fields);
    return;
  }
  if (status === 204 || status === 304) {
    outgoing.writeHead(status, fields);
    outgoing.end();
    return;
  }
  const content = status === 205 ? '' : (response.content as string | Uint8Array);
  fields.push('Content-Length', String(Buffer.byteLength(content)));
  outgoing.writeHead(status, fields);
  // node:http drops the body of an answer to HEAD.
  outgoing.end(content);
}

/** Names and values in turn, as writeHead takes them; the length is the server's to say. */
function fieldsOf(response: FwResponse): string[] {
  const { headers, stamps, status, isStream } = response;
  // RFC 9110, section 8.6: no length with a 204; only a stream knows its own.
  if (!isStream || status === 204 || status === 205) headers.delete('Content-Length');
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
): void {
  const { status } = response;
  const stream = response.content as AsyncIterable<Uint8Array | string>;
  outgoing.writeHead(status, fields);
  if (source.method === 'HEAD' || status === 204 || status === 205 || status === 304 || outgoing.destroyed) {
    readChunks(stream).end();
    outgoing.end();
    return;
  }
  const declared = response.headers.get('Content-Length');
  pump(stream, outgoing, declared === undefined ? undefined : Number(declared)).catch((error) => {
    reportError({ error, status, method: source.method, path: readTarget(source.target).path });
    // The head is gone already: cutting the connection is the only way to tell the client.
    outgoing.destroy();
  });
}

/** Writes chunk after chunk, waiting while the client reads slower; ends the producer when the client leaves. */
async function pump(
  stream: AsyncIterable<Uint8Array | string>,
  outgoing: ServerResponse,
  declared: number | undefined,
): Promise<void> {
  const chunks = readChunks(stream);
  outgoing.once('close', chunks.end);
  let sent = 0;
  while (!outgoing.destroyed) {
    const { done, value } = await chunks.next();
    if (done) break;
    sent += Buffer.byteLength(value);
    if (declared !== undefined && sent > declared) throw wrongLength(declared, 'more');
    if (!outgoing.write(value)) await writable(outgoing);
  }
  outgoing.off('close', chunks.end);
  if (outgoing.destroyed) return;
  if (declared !== undefined && sent < declared) throw wrongLength(declared, 'less');
  outgoing.end();
}

function writable(outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const settle = () => {
      outgoing.off('drain', settle);
      outgoing.off('close', settle);
      resolve();
    };
    outgoing.once('drain', settle);
    outgoing.once('close', settle);
  });
}

function wrongLength(declared: number, what: 'more' | 'less'): Error {
  return new Error(`the stream gave ${what} than its Content-Length of ${declared} bytes`);
}
