// Multipart: reads the body chunk by chunk when the next part is requested.
import type { MultipartLimits } from './limits.js';
import { type PartEvent, PartEvents } from './part-events.js';

/** How many bytes after the last boundary are ignored (RFC 2046) before the connection is given up. */
const LONGEST_EPILOGUE = 64 * 1024;

export class PartReader {
  readonly #body: ReadableStreamDefaultReader<Uint8Array>;
  readonly #events: PartEvents;

  constructor(body: ReadableStream<Uint8Array>, boundary: string, limits: MultipartLimits) {
    this.#body = body.getReader();
    this.#events = new PartEvents(boundary, limits);
  }

  /** The next event; undefined at the end. @throws FwError if the body is malformed or breaks off. */
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

  /** Stops reading the body. */
  cancel(): void {
    // If the stream failed, this rejects with the error that its reader has already got.
    this.#body.cancel().then(undefined, () => {});
  }

  /** Reads to the end, so that the connection can be reused. */
  async #finish(): Promise<undefined> {
    let left = LONGEST_EPILOGUE;
    while (left >= 0) {
      const { done, value } = await this.#body.read();
      if (done) return;
      left -= value.byteLength;
    }
  }
}
