// Testing: an answer that is read while it comes, chunk by chunk.
import { shownText, TestAnswer } from './test-answer.js';

/** What a TestClient keeps of the request behind a stream. @internal */
export interface OpenRequest {
  /** Ends the request, as a client that leaves does. */
  readonly leave: () => void;
  readonly signal: AbortSignal;
}

/**
 * An answer whose body is read as it comes. Close it when the test is done with it, or declare it with
 * `await using`: the App then sees a client that left.
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

  /** The next chunk as it came; undefined once the answer is complete, or closed. Rejects where it breaks off. */
  async next(): Promise<Uint8Array | undefined> {
    if (this.#isOver || this.#reader === undefined) return undefined;
    try {
      const { done, value } = await this.#reader.read();
      if (done) this.#isOver = true;
      this.#start ??= value;
      return value;
    } catch (error) {
      // Of a request that the test itself ended.
      if (this.#isOver) return undefined;
      throw error;
    }
  }

  /** What is left of the body, as text. */
  async rest(): Promise<string> {
    const decoder = new TextDecoder();
    let text = '';
    for await (const chunk of this) text += decoder.decode(chunk, { stream: true });
    return text + decoder.decode();
  }

  /** The chunks as they come. Leaving the loop does not close the answer. */
  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    return {
      next: async () => {
        const value = await this.next();
        return value === undefined ? { done: true, value } : { done: false, value };
      },
    };
  }

  /** Leaves, as a client does that closes the connection. May be called again. */
  async close(): Promise<void> {
    const wasOver = this.#isOver;
    this.#isOver = true;
    if (wasOver) return;
    // A stream that failed has told its reader already.
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
