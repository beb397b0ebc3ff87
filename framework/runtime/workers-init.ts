// Fetch: what a Response needs on Workers besides status and header fields.
import type { FwResponse } from '../http/response.js';
import { originOf } from '../http/web-origin.js';

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
export function workersInit(response: FwResponse): WorkersInit | Response {
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
export function switchedOnWorkers(response: FwResponse): Response {
  const { webSocket } = (originOf(response) ?? {}) as { webSocket?: unknown };
  return new Response(null, { status: 101, webSocket } as WorkersInit);
}
