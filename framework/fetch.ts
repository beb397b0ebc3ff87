// The fetch path: a web Request in, a web Response out, for `oneshot` and every fetch runtime.
import { bodyTooLarge } from './body-limit.js';
import type { Handle } from './dispatch.js';
import { readTarget } from './path.js';
import type { PeerAddress, RequestSource } from './request-source.js';
import type { FwResponse } from './response.js';
import { readChunks } from './streaming/chunks.js';
import { isEventStream } from './streaming/event-stream.js';
import { reportError } from './tracing/error-channel.js';

export async function fetchThrough(handle: Handle, request: Request): Promise<Response> {
  const source = new WebRequestSource(request);
  const response = await new Promise<FwResponse>((resolve) => handle(source, resolve));
  return toWebResponse(response, source);
}

class WebRequestSource implements RequestSource {
  readonly method: string;
  readonly target: string;
  readonly origin: string;
  readonly peer: PeerAddress | undefined = undefined;
  readonly refused: string | undefined = undefined;
  readonly #request: Request;

  constructor(request: Request) {
    this.#request = request;
    this.method = request.method;
    // `request.url` is serialised already: the first slash after `scheme://` ends the authority.
    const url = request.url;
    const slash = url.indexOf('/', url.indexOf('://') + 3);
    const hash = url.indexOf('#', slash);
    this.origin = url.slice(0, slash);
    this.target = url.slice(slash, hash === -1 ? undefined : hash);
  }

  get signal(): AbortSignal {
    return this.#request.signal;
  }

  header(lowerName: string): string | undefined {
    return this.#request.headers.get(lowerName) ?? undefined;
  }

  headers(): Record<string, string> {
    const headers: Record<string, string> = Object.create(null);
    for (const [name, value] of this.#request.headers) headers[name] = value;
    return headers;
  }

  async readBody(maxBytes: number = Number.POSITIVE_INFINITY): Promise<Uint8Array> {
    if (maxBytes === Number.POSITIVE_INFINITY) return new Uint8Array(await this.#request.arrayBuffer());
    const parts: Uint8Array[] = [];
    let size = 0;
    for await (const part of this.openBody()) {
      size += part.byteLength;
      // Leaving the loop cancels the stream.
      if (size > maxBytes) throw bodyTooLarge(maxBytes);
      parts.push(part);
    }
    return new Uint8Array(await new Blob(parts as Uint8Array<ArrayBuffer>[]).arrayBuffer());
  }

  abandonBody(): void {
    const { body, bodyUsed } = this.#request;
    if (body !== null && !bodyUsed && !body.locked) body.cancel().then(undefined, () => {});
  }

  openBody(): ReadableStream<Uint8Array> {
    return this.#request.body ?? new ReadableStream({ start: (controller) => controller.close() });
  }
}

function toWebResponse(response: FwResponse, source: WebRequestSource): Response {
  const headers = new Headers();
  for (const [name, value] of response.headers) headers.append(name, value);
  for (const [name, value] of response.stamps) if (!headers.has(name)) headers.set(name, value);
  const { status } = response;
  const isBodiless = status === 204 || status === 205 || status === 304;
  if (!response.isStream || status === 204 || status === 205 || isEventStream(response)) {
    headers.delete('Content-Length');
  }
  if (response.isStream) {
    const stream = response.content as AsyncIterable<Uint8Array | string>;
    if (source.method !== 'HEAD' && !isBodiless)
      return new Response(toReadable(stream, status, source), { status, headers });
    readChunks(stream).end();
    return new Response(null, { status, headers });
  }
  if (isBodiless) return new Response(null, { status, headers });
  const { body } = response;
  const bytes = body.kind === 'full' ? body.bytes : new Uint8Array();
  headers.set('Content-Length', String(bytes.byteLength));
  return new Response(source.method === 'HEAD' ? null : (bytes as Uint8Array<ArrayBuffer>), {
    status,
    headers,
  });
}

const encoder = new TextEncoder();

/** Pulls one chunk at a time, so that a slow reader holds the producer back; cancelling ends the producer. */
function toReadable(
  stream: AsyncIterable<Uint8Array | string>,
  status: number,
  source: WebRequestSource,
): ReadableStream<Uint8Array> {
  const chunks = readChunks(stream);
  let isCancelled = false;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await chunks.next();
          if (done) controller.close();
          else controller.enqueue(typeof value === 'string' ? encoder.encode(value) : value);
        } catch (error) {
          // What a producer throws because it is being stopped is no failure.
          if (isCancelled) return;
          reportError({ error, status, method: source.method, path: readTarget(source.target).path });
          controller.error(new Error('the response stream failed'));
        }
      },
      cancel() {
        isCancelled = true;
        chunks.end();
      },
    },
    { highWaterMark: 0 },
  );
}
