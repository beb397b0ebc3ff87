// Delivery: waits for the first chunk of a streamed body, so that a producer that fails before it is answered as if the
// handler had thrown.
import type { Context } from '../context/context.js';
import type { HandedStream } from '../http/handed-stream.js';
import type { FwResponse } from '../http/response.js';
import { isBodiless } from '../http/status.js';
import { nextTurn } from '../promises.js';
import { isEventStream } from '../streaming/event-stream.js';

/**
 * The same response, once the first chunk of its stream is there. The head of an event stream must not wait for the
 * first event, which may come hours later: only a producer that fails in the same turn of the event loop is answered.
 * `requestTimeout` is not running meanwhile. Rejects with what the producer throws.
 */
export function begun(ctx: Context, response: FwResponse): FwResponse | Promise<FwResponse> {
  const { handed } = response;
  if (handed === undefined || handed.hasBegun || handed.locked) return response;
  if (ctx.method === 'HEAD' || isBodiless(response.status)) return response;
  return begin(ctx, response, handed);
}

async function begin(ctx: Context, response: FwResponse, handed: HandedStream): Promise<FwResponse> {
  ctx.deadline?.pause();
  try {
    const first = handed.begin((callback) => ctx.whenOver(callback));
    await (isEventStream(response) ? Promise.race([first, nextTurn()]) : first);
  } finally {
    ctx.deadline?.resume();
  }
  return response;
}
