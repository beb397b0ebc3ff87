// Fetch: a web Response made of an FwResponse, with as little as possible made for it.

import { type DefaultHeader, type FwResponse, isBodiless } from '../http/response.js';
import { originOf } from '../http/web-origin.js';
import { THIS_RUNTIME } from '../this-runtime.js';
import { sentFields } from './sent-fields.js';
import type { WebRequestSource } from './web-request-source.js';
import { toReadable } from './web-stream.js';

/**
 * The servers of Bun and Deno set the Content-Length of a body in memory themselves, and take it as text. Elsewhere
 * nothing sets it: `oneshot` and tests see the Response as it is.
 */
const isFramedByServer = THIS_RUNTIME === 'Bun' || THIS_RUNTIME === 'Deno';
/** Bun copies given Headers faster than it sets fields; Deno and Node.js parse them again. */
const copiesHeaders = THIS_RUNTIME === 'Bun';

export function toWebResponse(response: FwResponse, source: WebRequestSource): Response {
  const { status, stream } = response;
  if (response.switchProtocol !== undefined) return switched(response);
  const isSent = source.method !== 'HEAD';
  if (stream !== undefined) {
    if (isSent && !isBodiless(status)) {
      const body = toReadable(response, stream, source);
      return withFields(new Response(body, initOf(response)), response, false);
    }
    response.discard();
    return withFields(new Response(null, { status }), response, !isSent);
  }
  // Stryker disable next-line ConditionalExpression: without it, the same is looked up
  if (isSent && isLast(response)) return new Response(contentOf(response), (last as KnownInit).init);
  if (isBodiless(status)) return withFields(new Response(null, { status }), response, !isSent);
  if (isSent && isFramedByServer) return framedByServer(response);
  const content = contentOf(response);
  const bytes = typeof content === 'string' ? encoder.encode(content) : content;
  const made = withFields(new Response(isSent ? bytes : null, initOf(response)), response, !isSent);
  // Without a body, only the application knows the length that a GET would have.
  if (isSent || bytes.byteLength > 0) made.headers.set('Content-Length', String(bytes.byteLength));
  return made;
}

const encoder = new TextEncoder();

function initOf(response: FwResponse): ResponseInit {
  return THIS_RUNTIME === 'Workers' ? workersInit(response) : { status: response.status };
}

/** Deno knows the Response of an upgrade by its identity. */
function switched(response: FwResponse): Response {
  if (THIS_RUNTIME === 'Workers') return withFields(switchedOnWorkers(response), response, false);
  return originOf(response) as Response;
}

function framedByServer(response: FwResponse): Response {
  const { status, onlyContentType } = response;
  if (copiesHeaders && onlyContentType !== undefined) {
    return new Response(contentOf(response), knownInit(status, onlyContentType, response.defaultHeaders));
  }
  const made = new Response(contentOf(response), { status });
  // That of a text, which the Response has added.
  made.headers.delete('Content-Type');
  withFields(made, response, false);
  if (!copiesHeaders || typeof response.content === 'string' || made.headers.has('Content-Type')) return made;
  return untyped(made, response.content as Uint8Array<ArrayBuffer>);
}

/** Bun says of bytes without a type that they are `application/octet-stream`, which browsers save; not of a stream. */
function untyped({ status, headers }: Response, bytes: Uint8Array<ArrayBuffer>): Response {
  if (bytes.length === 0) return new Response(null, { status, headers });
  const body = new ReadableStream({
    pull(controller) {
      controller.enqueue(bytes);
      controller.close();
    },
  });
  return new Response(body, { status, headers });
}

function contentOf(response: FwResponse): string | Uint8Array<ArrayBuffer> {
  const { content } = response;
  if (typeof content === 'string' || content.buffer instanceof ArrayBuffer) {
    return content as string | Uint8Array<ArrayBuffer>;
  }
  // A Response does not take memory that others share.
  return content.slice() as Uint8Array<ArrayBuffer>;
}

/** Setting them on the Response takes less time than giving them to its constructor, which reads them twice. */
function withFields(made: Response, response: FwResponse, isHead: boolean): Response {
  const { headers } = made;
  const fields = sentFields(response, isHead);
  for (let i = 0; i < fields.length; i += 2) headers.append(fields[i] as string, fields[i + 1] as string);
  return made;
}

/** What is given to a Response for a status, a content type and the App's fields. */
interface KnownInit {
  readonly status: number;
  readonly type: string;
  readonly defaults: readonly DefaultHeader[];
  /** The Response copies it; Bun reads its status and fields in half the time of those of an object. */
  readonly init: Response;
}

/** Most answers are like the one before, and each look-up in a map reads memory that is in no cache any more. */
let last: KnownInit | undefined;
const inits = new WeakMap<readonly DefaultHeader[], Map<string, KnownInit[]>>();

function isLast(response: FwResponse): boolean {
  return (
    last !== undefined &&
    last.status === response.status &&
    last.type === response.onlyContentType &&
    last.defaults === response.defaultHeaders
  );
}

function knownInit(status: number, type: string, defaults: readonly DefaultHeader[]): Response {
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
  let known = byStatus[status];
  // Stryker disable next-line ConditionalExpression: without the cache, the same fields are made every time
  if (known === undefined) {
    const pairs = defaults.map(([name, value]): [string, string] => [name, value]);
    const init = new Response(null, { status, headers: [['Content-Type', type], ...pairs] });
    known = { status, type, defaults, init };
    byStatus[status] = known;
  }
  last = known;
  return known.init;
}

/** Members that only Workers have (https://developers.cloudflare.com/workers/runtime-apis/response/). */
interface WorkersInit extends ResponseInit {
  /** Without it, Workers encode a body by its `Content-Encoding`, also one that is encoded. */
  readonly encodeBody?: 'manual';
  readonly webSocket?: unknown;
}

/**
 * The body of a response with `Content-Encoding` is encoded already, by middleware or by a file. That of an application's
 * own Response is what it has said there, which a copy takes over and nothing else tells.
 */
function workersInit(response: FwResponse): WorkersInit | Response {
  const { status } = response;
  const coding = response.headers.get('Content-Encoding');
  if (coding === undefined) return { status };
  const origin = originOf(response);
  const isAsItWas = origin !== undefined && response.replaced.length === 0 && origin.status === status;
  return isAsItWas && origin.headers.get('content-encoding') === coding
    ? bare(origin)
    : { status, encodeBody: 'manual' };
}

/** The same without its header fields, which those of the response replace. */
function bare(origin: Response): Response {
  const copy = new Response(null, origin);
  for (const name of [...copy.headers.keys()]) copy.headers.delete(name);
  return copy;
}

/** A response 101, which hands over one end of a WebSocketPair. */
function switchedOnWorkers(response: FwResponse): Response {
  const { webSocket } = (originOf(response) ?? {}) as { webSocket?: unknown };
  return new Response(null, { status: 101, webSocket } as WorkersInit);
}
