// Multipart: reads the body chunk by chunk when the next part is requested.
import { type MultipartLimits, overLimit } from './limits.js';
import { type PartHead, readPartHead } from './part-head.js';
import { malformed, PartScanner } from './part-scanner.js';

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

type PartEvent =
  | { readonly kind: 'field'; readonly head: PartHead; readonly bytes: Uint8Array }
  | { readonly kind: 'file'; readonly head: PartHead }
  | { readonly kind: 'chunk'; readonly bytes: Uint8Array }
  | { readonly kind: 'end' };

/** The current part. */
interface OpenPart {
  readonly head: PartHead;
  readonly isFile: boolean;
  /** The chunks of a field, which are kept until it is complete. */
  readonly chunks: Uint8Array[];
  size: number;
}

/** Parses one body. Its events wait in a queue until the reader takes them. */
export class PartEvents {
  readonly #queue: PartEvent[] = [];
  readonly #limits: MultipartLimits;
  readonly #scanner: PartScanner;
  #failure: unknown;
  #part: OpenPart | undefined;
  #parts = 0;
  #files = 0;

  constructor(boundary: string, limits: MultipartLimits) {
    this.#limits = limits;
    this.#scanner = new PartScanner(boundary, limits.maxHeaderSize, {
      head: (fields) => this.#startPart(readPartHead(fields)),
      content: (bytes) => this.#addContent(this.#part as OpenPart, bytes),
      end: () => this.#endPart(this.#part as OpenPart),
    });
  }

  /** True once the last boundary was seen; the text after it is not a part. */
  get isDone(): boolean {
    return this.#scanner.isDone;
  }

  write(chunk: Uint8Array): void {
    if (this.#failure !== undefined) return;
    try {
      this.#scanner.write(chunk);
    } catch (error) {
      this.#failure = error;
    }
  }

  /** Must be called at the end of the body. */
  end(): void {
    if (!this.isDone) this.#failure ??= malformed('it ends before its last boundary');
  }

  /** The next event, if there is one. @throws FwError if the body is malformed after the events so far. */
  take(): PartEvent | undefined {
    const event = this.#queue.shift();
    if (event === undefined && this.#failure !== undefined) throw this.#failure;
    return event;
  }

  #startPart(head: PartHead): void {
    const { maxParts, maxFiles } = this.#limits;
    const isFile = head.filename !== undefined;
    this.#part = { head, isFile, chunks: [], size: 0 };
    this.#parts += 1;
    if (this.#parts > maxParts) throw overLimit(`more than ${maxParts} parts`);
    if (!isFile) return;
    this.#files += 1;
    if (this.#files > maxFiles) throw overLimit(`more than ${maxFiles} files`);
    this.#queue.push({ kind: 'file', head });
  }

  #addContent(part: OpenPart, bytes: Uint8Array): void {
    const { maxFieldSize, maxFileSize } = this.#limits;
    part.size += bytes.length;
    if (part.isFile) {
      if (part.size > maxFileSize) throw overLimit(`a file of more than ${maxFileSize} bytes`);
      this.#queue.push({ kind: 'chunk', bytes });
      return;
    }
    if (part.size > maxFieldSize) throw overLimit(`a field of more than ${maxFieldSize} bytes`);
    part.chunks.push(bytes);
  }

  #endPart({ head, isFile, chunks, size }: OpenPart): void {
    if (isFile) this.#queue.push({ kind: 'end' });
    else this.#queue.push({ kind: 'field', head, bytes: joined(chunks, size) });
  }
}

function joined(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const [only] = chunks;
  if (chunks.length === 1 && only !== undefined) return only;
  const bytes = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}
