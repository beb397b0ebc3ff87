// Fetch: a web Response made of an FwResponse, with as little as possible made for it.

import { readChunks } from '../http/chunks.js';
import type { RequestSource } from '../http/request-source.js';
import { readTarget } from '../http/request-target.js';
import type { DefaultHeader, FwResponse } from '../http/response.js';
import { isBodiless } from '../http/status.js';
import { reportError } from '../tracing/error-channel.js';
import { sentFields } from './sent-fields.js';

/**
 * The servers of Bun and Deno set the Content-Length of a body in memory themselves, and take it as text. Elsewhere
 * nothing sets it: `oneshot` and tests see the Response as it is.
 */
const isFramedByServer = 'Bun' in globalThis || 'Deno' in globalThis;
/** Bun copies given Headers faster than it sets fields; Deno and Node.js parse them again. */
const copiesHeaders = 'Bun' in globalThis;

export function toWebResponse(response: FwResponse, source: RequestSource): Response {
  const { status, stream } = response;
  const isSent = source.method !== 'HEAD' && !isBodiless(status);
  if (stream !== undefined) {
    if (isSent) return withFields(new Response(toReadable(stream, status, source), { status }), response);
    response.discard();
    return withFields(new Response(null, { status }), response);
  }
  if (isBodiless(status)) return withFields(new Response(null, { status }), response);
  const { content } = response;
  if (isSent && isFramedByServer) return framedByServer(response, content);
  const bytes = typeof content === 'string' ? encoder.encode(content) : content;
  const made = withFields(
    new Response(isSent ? (bytes as Uint8Array<ArrayBuffer>) : null, { status }),
    response,
  );
  made.headers.set('Content-Length', String(bytes.byteLength));
  return made;
}

const encoder = new TextEncoder();

function framedByServer(response: FwResponse, content: string | Uint8Array): Response {
  const { status, onlyContentType } = response;
  const body = content as string | Uint8Array<ArrayBuffer>;
  if (copiesHeaders && onlyContentType !== undefined) {
    return new Response(body, knownInit(status, onlyContentType, response.defaultHeaders));
  }
  const made = new Response(body, { status });
  // That of a text, which the Response has added.
  made.headers.delete('Content-Type');
  return withFields(made, response);
}

/** Setting them on the Response takes less time than giving them to its constructor, which reads them twice. */
function withFields(made: Response, response: FwResponse): Response {
  const { headers } = made;
  const fields = sentFields(response);
  for (let i = 0; i < fields.length; i += 2) headers.append(fields[i] as string, fields[i + 1] as string);
  return made;
}

interface KnownInit {
  readonly status: number;
  readonly headers: Headers;
}

/** What is given to the Response, which copies it. Made once for a status, a content type and the App's fields. */
function knownInit(status: number, type: string, defaults: readonly DefaultHeader[]): KnownInit {
  let byType = inits.get(defaults);
  // Stryker disable next-line ConditionalExpression: without the cache, the same fields are made every time
  if (byType === undefined) {
    byType = new Map();
    inits.set(defaults, byType);
  }
  let byStatus = byType.get(type);
  // Stryker disable next-line ConditionalExpression: without the cache, the same fields are made every time
  if (byStatus === undefined) {
    byStatus = [];
    byType.set(type, byStatus);
  }
  let init = byStatus[status];
  // Stryker disable next-line ConditionalExpression: without the cache, the same fields are made every time
  if (init === undefined) {
    const pairs = defaults.map(([name, value]): [string, string] => [name, value]);
    init = { status, headers: new Headers([['Content-Type', type], ...pairs]) };
    byStatus[status] = init;
  }
  return init;
}

const inits = new WeakMap<readonly DefaultHeader[], Map<string, KnownInit[]>>();

/** Pulls one chunk at a time (back-pressure); cancelling stops the producer. */
function toReadable(
  stream: AsyncIterable<Uint8Array | string>,
  status: number,
  source: RequestSource,
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
