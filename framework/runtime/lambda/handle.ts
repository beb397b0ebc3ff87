// Lambda: calls an App for the event of a request.
import type { Writable } from 'node:stream';
import type { PeerAddress } from '../../http/request-source.js';
import { OpenStreams, type ServingSide } from '../serving-side.js';
import { asHttpEvent, type HttpEvent, malformed, methodOf, sourceIpOf, toRequest } from './event.js';
import { type LambdaResult, type StreamHead, streamHead, toResult } from './result.js';

/** The method of an App that is used. */
export interface Answering {
  answer(request: Request, side: ServingSide, info: LambdaPlatform): Promise<Response>;
}

/** What handlers get as `ctx.platform`, with `request`: the event and the context of the invocation. */
export interface LambdaPlatform {
  /** As the platform has passed it. */
  readonly event: unknown;
  /** Of the invocation: its id, the time that is left. */
  readonly context: unknown;
}

const side: ServingSide = {
  readPeer: (_request, info) => peerOf((info as LambdaPlatform).event as HttpEvent),
  platform: (info) => info as LambdaPlatform,
  checksHost: true,
  eventStreams: new OpenStreams(),
};

/** The port is not told. */
function peerOf(event: HttpEvent): PeerAddress | undefined {
  const address = sourceIpOf(event);
  return address === undefined ? undefined : { address, port: 0 };
}

export async function answerEvent(app: Answering, given: unknown, context: unknown): Promise<LambdaResult> {
  const event = asHttpEvent(given);
  return toResult(event, await answer(app, event, context, new AbortController().signal));
}

/** The function for streams that the runtime of Lambda has, with the head of HTTP. */
export interface StreamingRuntime {
  streamifyResponse<Handler>(handler: Handler): Handler;
  readonly HttpResponseStream: { from(stream: Writable, head: StreamHead): Writable };
}

export async function streamEvent(
  app: Answering,
  runtime: StreamingRuntime,
  given: unknown,
  to: Writable,
  context: unknown,
): Promise<void> {
  const event = asHttpEvent(given);
  const left = new AbortController();
  to.once('close', () => left.abort());
  const response = await answer(app, event, context, left.signal);
  const out = runtime.HttpResponseStream.from(to, streamHead(response));
  const { Readable } = await import('node:stream');
  const { pipeline } = await import('node:stream/promises');
  // The head is sent with the first write.
  out.write('');
  if (response.body === null) {
    out.end();
    return;
  }
  try {
    // A stream that fails destroys the response, so that the client sees that it is incomplete.
    await pipeline(Readable.fromWeb(response.body as never), out);
  } catch (error) {
    // The client has left.
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
}

/** The Fetch standard does not allow these methods for a Request. */
const FORBIDDEN: ReadonlySet<string> = new Set(['CONNECT', 'TRACE', 'TRACK']);

async function answer(
  app: Answering,
  event: HttpEvent,
  context: unknown,
  signal: AbortSignal,
): Promise<Response> {
  if (FORBIDDEN.has(methodOf(event).toUpperCase())) {
    return new Response(null, {
      status: 405,
      headers: { Allow: 'DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT' },
    });
  }
  const message = malformed(event);
  if (message !== undefined) {
    return Response.json({ error: 'BadRequest', message }, { status: 400 });
  }
  return app.answer(toRequest(event, signal), side, { event, context });
}
