// Testing: sends a web Request over a socket. It does not use fetch, whose connections cannot be closed, and which
// takes a response that breaks off for complete if the connection was to be closed.
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest, Agent as TlsAgent } from 'node:https';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Sends requests over the connections of one client. */
export class HttpExchange {
  readonly #plain: Agent = new Agent({ keepAlive: true });
  readonly #tls: TlsAgent = new TlsAgent({ keepAlive: true });

  /** Sends the request and resolves with the head of the response. A body of unknown length is sent chunked. */
  async send(request: Request, isStreamed: boolean): Promise<Response> {
    const body = request.body === null || isStreamed ? undefined : Buffer.from(await request.arrayBuffer());
    const isTls = request.url.startsWith('https:');
    const outgoing = (isTls ? httpsRequest : httpRequest)(request.url, {
      method: request.method,
      headers: Object.fromEntries(request.headers),
      agent: isTls ? this.#tls : this.#plain,
      signal: request.signal,
    });
    const answered = new Promise<IncomingMessage>((resolve, reject) => {
      outgoing.once('response', resolve);
      // Also for errors of sending when the response has arrived, such as an early 413: the response matters.
      outgoing.on('error', reject);
    });
    if (request.body === null || body !== undefined) outgoing.end(body);
    else
      pipeline(Readable.fromWeb(request.body as never), outgoing).catch((error) => outgoing.destroy(error));
    return toResponse(await answered);
  }

  /** Closes all connections, including those in use. */
  close(): void {
    this.#plain.destroy();
    this.#tls.destroy();
  }
}

/** The web Response of a response of node:http, whose body is read as it arrives. */
export function toResponse(incoming: IncomingMessage): Response {
  const status = incoming.statusCode as number;
  const headers = new Headers();
  const { rawHeaders } = incoming;
  for (let i = 0; i < rawHeaders.length; i += 2)
    headers.append(rawHeaders[i] as string, rawHeaders[i + 1] as string);
  const isBodiless = status === 204 || status === 205 || status === 304;
  if (isBodiless) incoming.resume();
  const body = isBodiless ? null : (Readable.toWeb(incoming) as unknown as ReadableStream<Uint8Array>);
  return new Response(body, { status, headers });
}
