// Multipart: a part of a form, as handlers get it.
import { joinBytes } from '../http/join-bytes.js';
import { charsetDecoder } from '../http/media-type.js';
import type { PartHead } from './part-head.js';
import type { PartReader } from './part-reader.js';

const utf8 = new TextDecoder();

/** A field of a multipart form, whose content is in memory. */
export class MultipartField {
  readonly kind = 'field';
  /** The name of the field. */
  readonly name: string;
  /** The media type as sent; `text/plain` by default. */
  readonly type: string;
  /** Header fields of the part by lower-case name, without a prototype. */
  readonly headers: Readonly<Record<string, string>>;
  /** Only files have a file name. */
  readonly filename: undefined = undefined;
  /** The content decoded by the charset of its type, UTF-8 by default. */
  readonly value: string;
  readonly #bytes: Uint8Array;

  /** @internal */
  constructor({ name, type, headers }: PartHead, bytes: Uint8Array) {
    this.name = name;
    this.type = type;
    this.headers = headers;
    this.value = (charsetDecoder(type) ?? utf8).decode(bytes);
    this.#bytes = bytes;
  }

  /** The bytes of the content. */
  async bytes(): Promise<Uint8Array> {
    return this.#bytes;
  }

  /** The same as `value`. */
  async text(): Promise<string> {
    return this.value;
  }
}

/** A file of a multipart form. Its content is read from the connection on demand, once. */
export class MultipartFile {
  readonly kind = 'file';
  /** The name of the form field. */
  readonly name: string;
  /** The media type as sent, `application/octet-stream` by default; the client can send any type. */
  readonly type: string;
  /** Header fields of the part by lower-case name, without a prototype. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * The last segment of the file name as the client sent it, empty if no file was chosen or it is `.` or `..`. Never use it as a path
   * (RFC 7578, section 4.2).
   */
  readonly filename: string;
  readonly #reader: PartReader;
  #state: 'unread' | 'read' | 'passed' = 'unread';
  #isEnded = false;
  #bytes: Promise<Uint8Array> | undefined;
  /** Reads are sequential, so that each gets its own chunk. */
  #turn: Promise<unknown> = Promise.resolve();

  /** @internal */
  constructor({ name, filename, type, headers }: PartHead, reader: PartReader) {
    this.name = name;
    this.filename = filename as string;
    this.type = type;
    this.headers = headers;
    this.#reader = reader;
  }

  /** The content as a stream, with back-pressure. It can be read once, before the next part is requested. */
  get stream(): AsyncIterable<Uint8Array> {
    return { [Symbol.asyncIterator]: () => this.#iterate() };
  }

  /** Reads the whole content into memory. May be called several times. */
  bytes(): Promise<Uint8Array> {
    this.#bytes ??= this.#collect();
    return this.#bytes;
  }

  /**
   * Reads the whole content into memory and decodes it by the charset of its type, UTF-8 by default. May be called
   * several times.
   *
   * @throws FwError `UnsupportedMediaType` (415) if the charset is not supported.
   */
  async text(): Promise<string> {
    return (charsetDecoder(this.type) ?? utf8).decode(await this.bytes());
  }

  /** Skips the rest of the content, to reach the next part. @internal */
  async drain(): Promise<void> {
    this.pass();
    while (!this.#isEnded) await this.#pull();
  }

  /** Makes further reads fail. @internal */
  pass(): void {
    this.#state = 'passed';
  }

  async #collect(): Promise<Uint8Array> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of this.stream) chunks.push(chunk);
    return joinBytes(chunks);
  }

  #iterate(): AsyncIterator<Uint8Array> {
    if (this.#state === 'read') throw new Error(`the file of part '${this.name}' was already read`);
    if (this.#state === 'unread') this.#state = 'read';
    return {
      next: async () => {
        if (this.#state === 'passed') throw passedOver(this.name);
        const value = await this.#pull();
        return value === undefined ? { done: true, value } : { done: false, value };
      },
      return: async () => ({ done: true, value: undefined }),
    };
  }

  #pull(): Promise<Uint8Array | undefined> {
    const chunk = this.#turn.then(() => this.#read());
    this.#turn = chunk.then(undefined, () => {});
    return chunk;
  }

  async #read(): Promise<Uint8Array | undefined> {
    if (this.#isEnded) return undefined;
    const event = await this.#reader.next();
    if (event?.kind === 'chunk') return event.bytes;
    this.#isEnded = true;
    return undefined;
  }
}

/** A part of a multipart form: `part.kind` is `'field'` or `'file'`. */
export type MultipartPart = MultipartField | MultipartFile;

function passedOver(name: string): Error {
  return new Error(`the file of part '${name}' was skipped; read it before you request the next part`);
}
