// Multipart: bytes of a body in, heads and contents of its parts out, in their order.
import { type MultipartError, make, type PartInfo } from 'multipasta';
import { FwError } from '../errors.js';
import { type MultipartLimits, overLimit } from './limits.js';
import { type PartHead, readPartHead } from './part-head.js';

export type PartEvent =
  | { readonly kind: 'field'; readonly head: PartHead; readonly bytes: Uint8Array }
  | { readonly kind: 'file'; readonly head: PartHead }
  | { readonly kind: 'chunk'; readonly bytes: Uint8Array }
  | { readonly kind: 'end' };

const DASH = 45;
const nothing = new Uint8Array();
const encoder = new TextEncoder();

/** A parser of one body. What it made of the bytes waits in a queue, so that the reader sets the pace. */
export class PartEvents {
  readonly #queue: PartEvent[] = [];
  readonly #limits: MultipartLimits;
  readonly #parser: ReturnType<typeof make>;
  #failure: unknown;
  #isDone = false;
  #held: Uint8Array = nothing;
  #head: PartHead | undefined;
  #files = 0;

  constructor(boundary: string, limits: MultipartLimits) {
    this.#limits = limits;
    this.#parser = make({
      headers: { 'content-type': `multipart/form-data; boundary="${boundary}"` },
      maxParts: limits.maxParts,
      maxFieldSize: limits.maxFieldSize,
      isFile: (info) => this.#isFile(info),
      onField: (_info, bytes) => this.#push({ kind: 'field', head: this.#closePart(), bytes }),
      onFile: () => this.#startFile(),
      onError: (error) => this.#fail(this.#errorFor(error)),
      onDone: () => {
        this.#isDone = true;
      },
    });
  }

  /** True once the last boundary was seen; what comes behind it is no part. */
  get isDone(): boolean {
    return this.#isDone;
  }

  write(chunk: Uint8Array): void {
    const joined = join(this.#held, chunk);
    // The parser knows the last boundary by two dashes in one piece: they must not come in two.
    const end = joined.length;
    const dashes = joined[end - 1] !== DASH ? 0 : joined[end - 2] === DASH ? 2 : 1;
    this.#held = joined.subarray(end - dashes);
    this.#feed(() => this.#parser.write(joined.subarray(0, end - dashes)));
  }

  /** The body is at its end. */
  end(): void {
    this.#feed(() => {
      this.#parser.write(this.#held);
      this.#parser.end();
    });
    if (!this.#isDone) this.#fail(malformed('it ends before its last boundary'));
  }

  /** The next event that is there, if any. @throws FwError when all before a fault was taken. */
  take(): PartEvent | undefined {
    const event = this.#queue.shift();
    if (event === undefined && this.#failure !== undefined) throw this.#failure;
    return event;
  }

  #feed(step: () => void): void {
    if (this.#failure !== undefined || this.#isDone) return;
    try {
      step();
    } catch (error) {
      this.#fail(error instanceof FwError ? error : malformed('the header of a part is malformed', error));
    }
  }

  /** The parser goes on to the end of the chunk after a fault; nothing of that counts. */
  #push(event: PartEvent): void {
    if (this.#failure === undefined && !this.#isDone) this.#queue.push(event);
  }

  #fail(error: unknown): void {
    if (!this.#isDone) this.#failure ??= error;
  }

  #isFile({ headers }: PartInfo): boolean {
    const size = Object.entries(headers).reduce((sum, field) => sum + sizeOf(field), 0);
    if (size > this.#limits.maxHeaderSize) throw headersTooLarge(this.#limits.maxHeaderSize);
    this.#head = readPartHead(headers as Record<string, string | string[]>);
    return this.#head.filename !== undefined;
  }

  #startFile(): (chunk: Uint8Array | null) => void {
    const { maxFiles, maxFileSize } = this.#limits;
    this.#files += 1;
    if (this.#files > maxFiles) throw overLimit(`more than ${maxFiles} files`);
    this.#push({ kind: 'file', head: this.#head as PartHead });
    let size = 0;
    return (chunk) => {
      size += chunk?.length ?? 0;
      if (size > maxFileSize) throw overLimit(`a file of more than ${maxFileSize} bytes`);
      if (chunk === null) {
        this.#closePart();
        this.#push({ kind: 'end' });
      } else if (chunk.length > 0) this.#push({ kind: 'chunk', bytes: chunk });
    };
  }

  /** The parser ends the part before once more where a boundary comes in the midst of a header. */
  #closePart(): PartHead {
    const head = this.#head;
    this.#head = undefined;
    if (head === undefined) throw malformed('the header of a part has no end');
    return head;
  }

  #errorFor(error: MultipartError): FwError {
    const { maxParts, maxFieldSize, maxHeaderSize } = this.#limits;
    switch (error._tag) {
      case 'ReachedLimit':
        return overLimit(
          error.limit === 'MaxParts'
            ? `more than ${maxParts} parts`
            : `a field of more than ${maxFieldSize} bytes`,
        );
      case 'BadHeaders':
        return error.error.reason === 'HeaderTooLarge' || error.error.reason === 'TooManyHeaders'
          ? headersTooLarge(maxHeaderSize)
          : malformed('the header of a part is malformed');
      case 'InvalidDisposition':
        return malformed('a part has no name in its Content-Disposition');
      case 'EndNotReached':
        return malformed('it ends before its last boundary');
      case 'InvalidBoundary':
        return malformed('the boundary cannot be read');
    }
  }
}

function sizeOf([name, value]: [string, string | string[]]): number {
  // The colon, a space and the line's end.
  return encoder.encode(`${name}${value}`).length + 4;
}

function headersTooLarge(maxBytes: number): FwError {
  return overLimit(`a part with header fields of more than ${maxBytes} bytes`);
}

function malformed(why: string, cause?: unknown): FwError {
  return FwError.badRequest(`malformed multipart body: ${why}`, cause === undefined ? undefined : { cause });
}

function join(a: Uint8Array, b: Uint8Array): Uint8Array {
  if (a.length === 0) return b;
  const joined = new Uint8Array(a.length + b.length);
  joined.set(a);
  joined.set(b, a.length);
  return joined;
}
