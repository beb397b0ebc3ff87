// Delivery: a streamed body that ends when what has authenticated its request does not hold any more.
import { AuthorizationWatch } from '../context/authorization-watch.js';
import type { Context } from '../context/context.js';
import { type Chunks, CutStream, readChunks } from '../http/chunks.js';
import { FwError } from '../http/errors.js';
import type { FwResponse } from '../http/response.js';
import { isEventStream } from '../streaming/event-stream.js';
import { reportError } from '../tracing/error-channel.js';
import { respondToError } from './error-response.js';

/** How often stores of sessions and keys are asked for a stream, in milliseconds; as for WebSockets by default. */
const CHECK_MS = 30_000;

type Chunk = Uint8Array | string;
type Result = IteratorResult<Chunk, undefined>;
const DONE: Result = { done: true, value: undefined };

/**
 * Has the body end with the credentials of the request: an event stream by an event `error`, any other stream by a cut.
 * A body of known length is a download, which ends by itself.
 */
export function endWithCredentials(ctx: Context, response: FwResponse): void {
  const { stream } = response;
  if (stream === undefined || response.headers.has('Content-Length')) return;
  const isText = isEventStream(response) && !response.headers.has('Content-Encoding');
  const lastWords = isText ? (response.lastWords ?? errorEvent) : undefined;
  response.coverStream(new AuthorizedStream(ctx, stream, lastWords));
}

/** The empty lines end an event that was cut by the producer. */
function errorEvent(error: FwError): string {
  const { content } = respondToError(error);
  const text = typeof content === 'string' ? content : new TextDecoder().decode(content);
  return `\n\nevent: error\ndata: ${text}\n\n`;
}

class AuthorizedStream implements AsyncIterable<Chunk>, AsyncIterator<Chunk, undefined> {
  readonly #ctx: Context;
  readonly #stream: AsyncIterable<Chunk>;
  readonly #lastWords: ((error: FwError) => string) | undefined;
  #chunks: Chunks<Chunk> | undefined;
  #watch: AuthorizationWatch | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** Set when it has ended by its credentials. */
  #error: FwError | undefined;
  #hasBegun = false;
  #isOver = false;
  /** Ends the wait for a chunk. */
  #interrupt: (() => void) | undefined;

  constructor(
    ctx: Context,
    stream: AsyncIterable<Chunk>,
    lastWords: ((error: FwError) => string) | undefined,
  ) {
    this.#ctx = ctx;
    this.#stream = stream;
    this.#lastWords = lastWords;
  }

  /** Checked before a response is sent, as that of the stream inside. */
  get locked(): boolean {
    return (this.#stream as { locked?: boolean }).locked === true;
  }

  [Symbol.asyncIterator](): this {
    this.#chunks ??= readChunks(this.#stream);
    return this;
  }

  next(): Promise<Result> {
    if (this.#isOver) return Promise.resolve(DONE);
    this.#begin();
    return new Promise((resolve, reject) => {
      this.#interrupt = () => this.#end(resolve, reject);
      if (this.#error !== undefined) {
        this.#interrupt();
        return;
      }
      const arrived = (result: IteratorResult<Chunk>): void => {
        if (this.#error !== undefined) return;
        this.#interrupt = undefined;
        if (result.done === true) this.#stop();
        resolve(result.done === true ? DONE : result);
      };
      const failed = (error: unknown): void => {
        if (this.#error !== undefined) return;
        this.#stop();
        reject(error as Error);
      };
      (this.#chunks as Chunks<Chunk>).next().then(arrived, failed);
    });
  }

  return(): Promise<Result> {
    this.#stop();
    this.#chunks?.end();
    return Promise.resolve(DONE);
  }

  /** When it is read first: a response to HEAD is not. */
  #begin(): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    const { path } = this.#ctx.target;
    this.#watch = AuthorizationWatch.begin(this.#ctx.credentials, {
      ended: (reason) => {
        this.#error = FwError.unauthorized(reason);
        clearInterval(this.#timer);
        this.#ctx.endAuthorization(this.#error);
        this.#chunks?.end();
        this.#interrupt?.();
      },
      failed: (error) => reportError({ error, status: 503, method: this.#ctx.method, path }),
    });
    if (this.#watch?.asksStores !== true) return;
    this.#timer = setInterval(() => this.#watch?.check(false), CHECK_MS);
    this.#timer.unref?.();
  }

  #end(resolve: (result: Result) => void, reject: (error: Error) => void): void {
    this.#isOver = true;
    this.#interrupt = undefined;
    const error = this.#error as FwError;
    if (this.#lastWords === undefined) reject(new CutStream(error.message, { cause: error }));
    else resolve({ done: false, value: this.#lastWords(error) });
  }

  #stop(): void {
    this.#isOver = true;
    this.#interrupt = undefined;
    clearInterval(this.#timer);
    this.#watch?.stop();
  }
}
