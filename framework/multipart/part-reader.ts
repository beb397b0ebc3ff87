// Multipart: reads the body chunk by chunk when the next part is requested.

import { FwError } from '../http/errors.js';
import { joinBytes } from '../http/join-bytes.js';
import { trimBlanks } from '../http/white-space.js';
import { type MultipartLimits, overLimit } from './limits.js';
import { type PartHead, readPartHead } from './part-head.js';

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

  #endPart({ head, isFile, chunks }: OpenPart): void {
    if (isFile) this.#queue.push({ kind: 'end' });
    else this.#queue.push({ kind: 'field', head, bytes: joinBytes(chunks) });
  }
}

/** Called with what was found, in the order of the body. An error that it throws ends the scan. */
interface PartListener {
  /** The fields of a part's head: lower-case names and trimmed values. */
  head(fields: readonly (readonly [name: string, value: string])[]): void;
  /** A chunk of the part's content; a view of the bytes that were written. */
  content(bytes: Uint8Array): void;
  /** The part is complete. */
  end(): void;
}

const HTAB = 9;
const LF = 10;
const CR = 13;
const SP = 32;
const DASH = 45;
const DEL = 127;
const MOST_FIELDS = 100;
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const nothing = new Uint8Array();
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * Scans a body chunk by chunk. The lines of heads must end with CR LF, and a head must not contain a boundary:
 * otherwise parsers could find different parts, and so different files, in the same body.
 */
class PartScanner {
  /** CR LF, two dashes and the boundary. It contains no other CR. */
  readonly #delimiter: Uint8Array;
  readonly #maxHeaderSize: number;
  readonly #listener: PartListener;
  #state: 'preamble' | 'behind boundary' | 'head' | 'content' | 'done' = 'preamble';
  /** Unprocessed bytes. Initially CR LF, because the first boundary needs no line end before it. */
  #held: Uint8Array = encoder.encode('\r\n');
  #isPadded = false;
  #fields: [name: string, value: string][] = [];
  #headSize = 0;
  /** Bytes before the content: the CR LF of the empty line after the head, kept because a boundary may follow it. */
  #skip = 0;

  constructor(boundary: string, maxHeaderSize: number, listener: PartListener) {
    this.#delimiter = encoder.encode(`\r\n--${boundary}`);
    this.#maxHeaderSize = maxHeaderSize;
    this.#listener = listener;
  }

  /** True once the last boundary was seen; the text after it is not a part. */
  get isDone(): boolean {
    return this.#state === 'done';
  }

  /** @throws FwError if the bytes are not parts, or a head is too large. */
  write(chunk: Uint8Array): void {
    const bytes = join(this.#held, chunk);
    let at = 0;
    for (let next = this.#step(bytes, at); next !== undefined; next = this.#step(bytes, at)) at = next;
    this.#held = this.#state === 'done' ? nothing : bytes.subarray(this.#giveSafe(bytes, at));
  }

  /** The step after the one at this position; undefined if that needs more bytes. */
  #step(bytes: Uint8Array, at: number): number | undefined {
    switch (this.#state) {
      case 'preamble':
      case 'content':
        return this.#findBoundary(bytes, at);
      case 'behind boundary':
        return this.#passBoundary(bytes, at);
      case 'head':
        return this.#readLine(bytes, at);
      case 'done':
        return undefined;
    }
  }

  #findBoundary(bytes: Uint8Array, at: number): number | undefined {
    const found = indexOf(bytes, this.#delimiter, at);
    if (found === -1) return undefined;
    if (this.#state === 'content') {
      if (this.#skip > 0 && found === at) throw malformed('the header of a part has no end');
      this.#give(bytes, at, found);
      this.#listener.end();
    }
    this.#state = 'behind boundary';
    this.#isPadded = false;
    return found + this.#delimiter.length;
  }

  /** After the last boundary, two dashes; after any other, only white space and the end of the line. */
  #passBoundary(bytes: Uint8Array, at: number): number | undefined {
    const [first, second] = [bytes[at], bytes[at + 1]];
    if (first === SP || first === HTAB) {
      this.#isPadded = true;
      return at + 1;
    }
    if (first === undefined || (second === undefined && (first === CR || first === DASH))) return undefined;
    if (first === DASH && second === DASH && !this.#isPadded) {
      this.#state = 'done';
      return at + 2;
    }
    if (first !== CR || second !== LF) throw malformed('a boundary is not alone on its line');
    this.#state = 'head';
    this.#fields = [];
    this.#headSize = 0;
    return at + 2;
  }

  #readLine(bytes: Uint8Array, at: number): number | undefined {
    const end = endOfLine(bytes, at);
    const length = end - at;
    if (this.#headSize + length > this.#maxHeaderSize) throw headersTooLarge(this.#maxHeaderSize);
    if (end === bytes.length || (bytes[end] === CR && end + 1 === bytes.length)) return undefined;
    if (bytes[end] !== CR || bytes[end + 1] !== LF) throw malformed('the header of a part is malformed');
    this.#headSize += length + 2;
    if (length > 0) {
      this.#addField(bytes.subarray(at, end));
      return end + 2;
    }
    this.#listener.head(this.#fields);
    this.#state = 'content';
    this.#skip = 2;
    return end;
  }

  #addField(line: Uint8Array): void {
    if (startsWith(line, this.#delimiter.subarray(2))) throw malformed('the header of a part has no end');
    const text = decoder.decode(line);
    const colon = text.indexOf(':');
    const name = text.slice(0, Math.max(0, colon));
    if (!TOKEN.test(name)) throw malformed('the header of a part is malformed');
    if (this.#fields.length === MOST_FIELDS) throw headersTooLarge(this.#maxHeaderSize);
    this.#fields.push([name.toLowerCase(), trimBlanks(text.slice(colon + 1))]);
  }

  /** Passes on the bytes that cannot belong to a boundary, and returns the start of those that can. */
  #giveSafe(bytes: Uint8Array, at: number): number {
    if (this.#state !== 'preamble' && this.#state !== 'content') return at;
    const tail = Math.max(at, bytes.length - this.#delimiter.length);
    const start = bytes.subarray(tail).lastIndexOf(CR);
    const isStart = start !== -1 && startsWith(this.#delimiter, bytes.subarray(tail + start));
    const end = isStart ? tail + start : bytes.length;
    if (this.#state === 'content') this.#give(bytes, at, end);
    return end;
  }

  #give(bytes: Uint8Array, start: number, end: number): void {
    const skipped = Math.min(this.#skip, end - start);
    this.#skip -= skipped;
    if (end > start + skipped) this.#listener.content(bytes.subarray(start + skipped, end));
  }
}

/** The position of the delimiter, which begins with its only CR. */
function indexOf(bytes: Uint8Array, delimiter: Uint8Array, from: number): number {
  let at = bytes.indexOf(CR, from);
  while (at !== -1 && !startsWith(bytes.subarray(at), delimiter)) at = bytes.indexOf(CR, at + 1);
  return at;
}

function startsWith(bytes: Uint8Array, start: Uint8Array): boolean {
  if (bytes.length < start.length) return false;
  for (let index = 0; index < start.length; index += 1) if (bytes[index] !== start[index]) return false;
  return true;
}

/** The first control character except tab: the CR at the end of a line, or one that is not allowed. */
function endOfLine(bytes: Uint8Array, at: number): number {
  for (let index = at; index < bytes.length; index += 1) {
    const byte = bytes[index] as number;
    if ((byte < SP && byte !== HTAB) || byte === DEL) return index;
  }
  return bytes.length;
}

function join(a: Uint8Array, b: Uint8Array): Uint8Array {
  if (a.length === 0) return b;
  const joined = new Uint8Array(a.length + b.length);
  joined.set(a);
  joined.set(b, a.length);
  return joined;
}

function headersTooLarge(maxBytes: number): FwError {
  return overLimit(`a part with header fields of more than ${maxBytes} bytes`);
}

/** The error for a body that is not a multipart form. */
function malformed(why: string): FwError {
  return FwError.badRequest(`malformed multipart body: ${why}`);
}
