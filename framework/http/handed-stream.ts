// Streaming: a stream that the application has handed over as a body. It is read in the async context of that moment,
// and can be begun before it is sent.
import { markHandled } from '../promises.js';
import { type AsyncContext, currentContext } from '../tracing/async-context.js';
import { type Chunks, checkChunk, readChunks } from './chunks.js';

type Chunk = Uint8Array | string;
type Result = IteratorResult<Chunk, undefined>;
const DONE: Result = { done: true, value: undefined };

/** All that read it, read the same chunks: it is its own iterator. */
export class HandedStream implements AsyncIterable<Chunk>, AsyncIterator<Chunk, undefined> {
  /** Runs a function where the stream was handed over. */
  readonly inContext: AsyncContext = currentContext();
  readonly #stream: AsyncIterable<Chunk>;
  #chunks: Chunks<Chunk> | undefined = undefined;
  /** The first chunk, until somebody reads it. */
  #first: Promise<Result> | undefined = undefined;
  /** The same, once it has come. */
  #arrived: Result | undefined = undefined;
  #isTaken = false;
  #ended: Promise<void> | undefined = undefined;
  #isOver = false;
  #atEnd: (() => void) | undefined = undefined;

  private constructor(stream: AsyncIterable<Chunk>) {
    this.#stream = stream;
  }

  /** The stream itself, if it was handed over before. */
  static of(stream: AsyncIterable<Chunk>): HandedStream {
    return stream instanceof HandedStream ? stream : new HandedStream(stream);
  }

  /** Whether others read what is inside. */
  get locked(): boolean {
    return this.#chunks === undefined && (this.#stream as { locked?: boolean }).locked === true;
  }

  get hasBegun(): boolean {
    return this.#chunks !== undefined;
  }

  /** What is wrong with a declared length, if that is known before anything is sent. */
  lengthFault(declared: number): 'more' | 'less' | undefined {
    const arrived = this.#arrived;
    if (arrived === undefined) return undefined;
    if (arrived.done === true) return declared > 0 ? 'less' : undefined;
    const { value } = arrived;
    const { length } = typeof value === 'string' ? new TextEncoder().encode(value) : value;
    return length > declared ? 'more' : undefined;
  }

  /**
   * Asks for the first chunk. Resolves when it is there, or when the request is over, which ends the stream; rejects with
   * what the producer throws before it. Whoever reads the stream gets that chunk first.
   *
   * @param whenOver calls the function when nobody waits for a response any more, unless what it returns is called
   */
  begin(whenOver: (callback: () => void) => () => void): Promise<void> {
    this.#first ??= markHandled(this.#read());
    const first = this.#first;
    return new Promise((resolve, reject) => {
      const forget = whenOver(() => {
        void this.end();
        resolve();
      });
      const sendable = first.finally(forget).then((result) => this.#check(result));
      sendable.then(resolve, reject);
    });
  }

  [Symbol.asyncIterator](): this {
    this.#isTaken = true;
    return this;
  }

  next(): Promise<Result> {
    if (this.#ended !== undefined) return Promise.resolve(DONE);
    const chunk = this.#first ?? this.#read();
    this.#first = undefined;
    this.#arrived = undefined;
    return this.#atEnd === undefined ? chunk : this.#watched(chunk);
  }

  async return(): Promise<Result> {
    await this.end();
    return DONE;
  }

  /** Stops the producer. Resolves when it has stopped; never rejects. */
  end(): Promise<void> {
    if (this.#ended === undefined) {
      this.#isTaken = true;
      this.#ended = this.inContext(() => this.#open().end());
      this.#over();
    }
    return this.#ended;
  }

  /** The same, unless somebody reads it. */
  endUnread(): void {
    if (!this.#isTaken) void this.end();
  }

  /** It is about to be sent. */
  take(): void {
    this.#isTaken = true;
  }

  /** Runs the function when nobody will read any more. */
  atEnd(callback: () => void): void {
    if (this.#isOver) callback();
    else this.#atEnd = callback;
  }

  /** Here, where an error can still be answered: servers find it out behind the head. */
  #check(result: Result): void {
    this.#arrived = result;
    if (result.done === true) return;
    try {
      checkChunk(result.value);
    } catch (error) {
      void this.end();
      throw error;
    }
  }

  #read(): Promise<Result> {
    try {
      return Promise.resolve(this.inContext(() => this.#open().next()) as Promise<Result>);
    } catch (error) {
      // A hand-written iterator.
      return Promise.reject(error);
    }
  }

  async #watched(chunk: Promise<Result>): Promise<Result> {
    try {
      const result = await chunk;
      if (result.done === true) this.#over();
      return result;
    } catch (error) {
      this.#over();
      throw error;
    }
  }

  #open(): Chunks<Chunk> {
    this.#chunks ??= readChunks(this.#stream);
    return this.#chunks;
  }

  #over(): void {
    this.#isOver = true;
    this.#atEnd?.();
    this.#atEnd = undefined;
  }
}
