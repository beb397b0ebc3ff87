// The body of one request: read once, as text, bytes or a stream, and kept if it is buffered.

import { bodyTooLarge, declaresMore, limitedBody } from '../http/body-limit.js';
import { charsetDecoder } from '../http/media-type.js';
import type { RequestSource } from '../http/request-source.js';
import { bytesOfText, decodeBody, onlyChunk, openedLate, parseJson, refuseEncoded } from './buffered-body.js';

export class RequestBody {
  readonly #source: RequestSource;
  readonly #maxSize: number | undefined;
  #bytes: Promise<Uint8Array> | undefined = undefined;
  /** Set instead if the runtime has decoded it. */
  #text: Promise<string> | undefined = undefined;
  #isStreamed = false;

  /** @param maxSize in bytes; undefined for any size */
  constructor(source: RequestSource, maxSize: number | undefined) {
    this.#source = source;
    this.#maxSize = maxSize;
  }

  /** Whether it was requested, buffered or as a stream. */
  get isTaken(): boolean {
    return this.#isBuffered || this.#isStreamed;
  }

  /** The value of `Content-Type`. */
  get type(): string | undefined {
    return this.#source.header('content-type');
  }

  /**
   * Buffers it, as text if the runtime decodes it with less work than `bytes()`, or if it is not UTF-8.
   *
   * @throws FwError like `text()`
   */
  content(): Promise<string | Uint8Array> {
    return this.#otherText() ?? (this.#decodes() ? this.#readText() : this.bytes());
  }

  /** @throws FwError `BadRequest` (400) if it is not JSON; the errors of `bytes()` */
  json<T>(): Promise<T> {
    return this.content().then(parseJson<T>);
  }

  /**
   * Decoded by the charset that its type declares, UTF-8 by default.
   *
   * @throws FwError `UnsupportedMediaType` (415) if the charset is not supported; the errors of `bytes()`
   */
  text(): Promise<string> {
    return this.#otherText() ?? (this.#decodes() ? this.#readText() : this.bytes().then(decodeBody));
  }

  /**
   * @throws FwError `PayloadTooLarge` (413) if it is too large, `UnsupportedMediaType` (415) if it has a
   *   `Content-Encoding`, `BadRequest` (400) if it was decoded before and is not UTF-8; Error if it is streamed.
   */
  bytes(): Promise<Uint8Array> {
    this.#bytes ??= this.#text === undefined ? this.#readBytes() : this.#encode(this.#text);
    return this.#bytes;
  }

  /** @throws FwError `PayloadTooLarge` (413) if it is too large; Error if it was already read */
  get stream(): ReadableStream<Uint8Array> {
    if (this.isTaken)
      throw new Error('the request body was already read; use it as a stream before anything else');
    const maxSize = this.#maxSize;
    if (maxSize === undefined) {
      this.#isStreamed = true;
      return this.#source.openBody();
    }
    if (declaresMore(this.#source, maxSize)) throw bodyTooLarge(maxSize);
    this.#isStreamed = true;
    return limitedBody(this.#source, maxSize);
  }

  /**
   * The body for a handler of another framework, whether it was already buffered or not. Nothing is read until the
   * consumer reads, so that an unread body is recognized as unread. `failed` is called with the error if the body
   * breaks off.
   */
  forward(failed: (error: unknown) => void): ReadableStream<Uint8Array> {
    return openedLate(() => (this.#isBuffered ? onlyChunk(this.bytes()) : this.stream), failed);
  }

  /** @throws FwError `UnsupportedMediaType` (415) if it has a `Content-Encoding` */
  assertPlain(): void {
    refuseEncoded(this.#source.header('content-encoding'));
  }

  get #isBuffered(): boolean {
    return this.#bytes !== undefined || this.#text !== undefined;
  }

  /** Whether the runtime reads the body as text, of which `bytes()` makes the bytes. */
  #decodes(): boolean {
    return this.#source.readText !== undefined && this.#bytes === undefined && this.#maxSize === undefined;
  }

  /** Its text if it declares another charset than UTF-8, and undefined otherwise. Not async, like those below. */
  #otherText(): Promise<string> | undefined {
    try {
      const decoder = charsetDecoder(this.type);
      return decoder && this.bytes().then((bytes) => decoder.decode(bytes));
    } catch (error) {
      return Promise.reject(error);
    }
  }

  #readText(): Promise<string> {
    this.#text ??= this.#readDecoded();
    return this.#text;
  }

  /** Neither is async, which would add a promise to every body. */
  #readDecoded(): Promise<string> {
    try {
      this.#assertReadable();
      return this.#source.readText?.() ?? this.bytes().then(decodeBody);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  #readBytes(): Promise<Uint8Array> {
    try {
      this.#assertReadable();
      const maxSize = this.#maxSize;
      if (maxSize !== undefined && declaresMore(this.#source, maxSize)) throw bodyTooLarge(maxSize);
      return this.#source.readBody(maxSize);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  async #encode(text: Promise<string>): Promise<Uint8Array> {
    return bytesOfText(await text, this.#source.header('content-length'));
  }

  #assertReadable(): void {
    if (this.#isStreamed) throw new Error('the request body was already taken by stream or multipart()');
    this.assertPlain();
  }
}
