// Fetch: answers a web Request with a web Response, for `oneshot` and all fetch runtimes.

import type { Handle } from '../dispatch/dispatch.js';
import { bodyTooLarge } from '../http/body-limit.js';
import { readChunks } from '../http/chunks.js';
import type { PeerAddress, RequestSource } from '../http/request-source.js';
import { readTarget } from '../http/request-target.js';
import type { FwResponse } from '../http/response.js';
import { isBodiless } from '../http/status.js';
import { reportError } from '../tracing/error-channel.js';
import { sentFields } from './sent-fields.js';

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
    // `request.url` is normalized: the first slash after `scheme://` ends the authority.
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

  isRepeated(): boolean {
    // All of them are joined in `header`.
    return false;
  }

  headers(): Record<string, string> {
    const headers: Record<string, string> = Object.create(null);
    for (const [name, value] of this.#request.headers) headers[name] = value;
    return headers;
  }

  async readBody(maxBytes: number = Number.POSITIVE_INFINITY): Promise<Uint8Array> {
    // Stryker disable next-line ConditionalExpression: without a limit, this reads the same bytes at once
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
    // A body that is being read cannot be cancelled; its reader goes on.
    this.#request.body?.cancel().then(undefined, () => {});
  }

  openBody(): ReadableStream<Uint8Array> {
    return this.#request.body ?? new ReadableStream({ start: (controller) => controller.close() });
  }
}

function toWebResponse(response: FwResponse, source: WebRequestSource): Response {
  const headers = new Headers();
  const fields = sentFields(response);
  for (let i = 0; i < fields.length; i += 2) headers.append(fields[i] as string, fields[i + 1] as string);
  const { status, body } = response;
  const sendsBody = source.method !== 'HEAD' && !isBodiless(status);
  if (body.kind === 'stream') {
    if (sendsBody) return new Response(toReadable(body.stream, status, source), { status, headers });
    response.discard();
    return new Response(null, { status, headers });
  }
  if (!isBodiless(status)) headers.set('Content-Length', String(body.bytes.byteLength));
  const bytes = body.bytes as Uint8Array<ArrayBuffer>;
  return new Response(sendsBody ? bytes : null, { status, headers });
}

const encoder = new TextEncoder();

/** Pulls one chunk at a time (back-pressure); cancelling stops the producer. */
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
          // An error that a producer throws because it is stopped is not a failure.
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
