// Multipart: bytes of a body in, heads and contents of its parts out, in their order.
import type { MultipartLimits } from './limits.js';
import { overLimit } from './limits.js';
import { type PartHead, readPartHead } from './part-head.js';
import { malformed, PartScanner } from './part-scanner.js';

export type PartEvent =
  | { readonly kind: 'field'; readonly head: PartHead; readonly bytes: Uint8Array }
  | { readonly kind: 'file'; readonly head: PartHead }
  | { readonly kind: 'chunk'; readonly bytes: Uint8Array }
  | { readonly kind: 'end' };

/** The part that is being read. */
interface OpenPart {
  readonly head: PartHead;
  readonly isFile: boolean;
  /** Of a field, which is held until it is complete. */
  readonly chunks: Uint8Array[];
  size: number;
}

/** A parser of one body. What it made of the bytes waits in a queue, so that the reader sets the pace. */
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

  /** True once the last boundary was seen; what comes behind it is no part. */
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

  /** The body is at its end. */
  end(): void {
    if (!this.isDone) this.#failure ??= malformed('it ends before its last boundary');
  }

  /** The next event that is there, if any. @throws FwError when all before a fault was taken. */
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
