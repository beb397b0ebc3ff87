// Multipart: pulls the body, chunk by chunk, as its parts are asked for.
import type { MultipartLimits } from './limits.js';
import { type PartEvent, PartEvents } from './part-events.js';

/** What may come behind the last boundary (RFC 2046: to be ignored) before the connection is given up. */
const LONGEST_EPILOGUE = 64 * 1024;

export class PartReader {
  readonly #body: ReadableStreamDefaultReader<Uint8Array>;
  readonly #events: PartEvents;

  constructor(body: ReadableStream<Uint8Array>, boundary: string, limits: MultipartLimits) {
    this.#body = body.getReader();
    this.#events = new PartEvents(boundary, limits);
  }

  /** The next event; undefined at the end. @throws FwError where the body is malformed or breaks off. */
  async next(): Promise<PartEvent | undefined> {
    while (true) {
      const event = this.#events.take();
      if (event !== undefined) return event;
      if (this.#events.isDone) return this.#finish();
      const { done, value } = await this.#body.read();
      if (done) this.#events.end();
      else this.#events.write(value);
    }
  }

  /** Gives up what is unread of the body. */
  cancel(): void {
    // A stream that failed rejects this with the failure that its reader had already.
    this.#body.cancel().then(undefined, () => {});
  }

  /** Reads to the end, so that the connection can be used again. */
  async #finish(): Promise<undefined> {
    let left = LONGEST_EPILOGUE;
    while (left >= 0) {
      const { done, value } = await this.#body.read();
      if (done) return;
      left -= value.byteLength;
    }
  }
}
