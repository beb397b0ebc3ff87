// Testing: a response that is read chunk by chunk while it arrives.
import { shownText, TestAnswer } from './test-answer.js';

/** The request of a stream. @internal */
export interface OpenRequest {
  /** Ends the request, as a client that disconnects. */
  readonly leave: () => void;
  readonly signal: AbortSignal;
}

/**
 * A response whose body is read while it arrives. Close it at the end of the test, or declare it with `await using`:
 * for the App, the client has then disconnected.
 */
export class TestStream extends TestAnswer implements AsyncIterable<Uint8Array>, AsyncDisposable {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  readonly #request: OpenRequest;
  #start: Uint8Array | undefined;
  #isOver = false;

  /** @internal */
  constructor(response: Response, name: string, request: OpenRequest) {
    super(response, name);
    this.#reader = response.body?.getReader();
    this.#request = request;
    if (request.signal.aborted) void this.close();
    else request.signal.addEventListener('abort', () => void this.close(), { once: true });
  }

  /** The next chunk; undefined when the body is complete or was closed. Rejects if the body breaks off. */
  async next(): Promise<Uint8Array | undefined> {
    if (this.#isOver || this.#reader === undefined) return undefined;
    try {
      const { done, value } = await this.#reader.read();
      if (done) this.#isOver = true;
      this.#start ??= value;
      return value;
    } catch (error) {
      // The test itself ended the request.
      if (this.#isOver) return undefined;
      throw error;
    }
  }

  /** The rest of the body as text. */
  async rest(): Promise<string> {
    const decoder = new TextDecoder();
    let text = '';
    for await (const chunk of this) text += decoder.decode(chunk, { stream: true });
    return text + decoder.decode();
  }

  /** Iterates over the chunks. Leaving the loop does not close the stream. */
  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    return {
      next: async () => {
        const value = await this.next();
        return value === undefined ? { done: true, value } : { done: false, value };
      },
    };
  }

  /** Closes the stream, as a client that disconnects. May be called several times. */
  async close(): Promise<void> {
    const wasOver = this.#isOver;
    this.#isOver = true;
    if (wasOver) return;
    // The reader has already got the error of a stream that failed.
    await this.#reader?.cancel().then(undefined, () => {});
    this.#request.leave();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** @internal */
  protected override shownBody(): string {
    return this.#start === undefined ? super.shownBody() : `${shownText(this.#start)} (and what follows)`;
  }
}
