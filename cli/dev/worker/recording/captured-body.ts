// The first bytes of a body, captured as they pass.
import type { RawBody } from '../../../process/records.js';

/** How many bytes of a body are kept. */
const bodyLimit: number = 64 * 1024;

export class CapturedBody {
  size = 0;
  readonly #parts: (Buffer | { text: string; encoding: BufferEncoding })[] = [];
  #kept = 0;

  add(chunk: unknown, encoding: unknown): void {
    if (typeof chunk === 'string') this.#addText(chunk, encodingOf(encoding));
    else if (chunk instanceof Uint8Array) this.#addBytes(chunk);
  }

  /** Undefined if nothing passed. */
  raw(): RawBody | undefined {
    if (this.size === 0) return undefined;
    const parts = this.#parts.map((part) => ('text' in part ? Buffer.from(part.text, part.encoding) : part));
    return { size: this.size, data: Buffer.concat(parts).subarray(0, bodyLimit).toString('base64') };
  }

  /** How much memory it takes, about. */
  get kept(): number {
    return this.#kept;
  }

  /** A short text is converted only when it is sent to the supervisor, which is not done with all of them. */
  #addText(text: string, encoding: BufferEncoding): void {
    if (text.length > bodyLimit) {
      this.#addBytes(Buffer.from(text, encoding));
      return;
    }
    const length = Buffer.byteLength(text, encoding);
    this.size += length;
    if (length === 0 || this.#kept >= bodyLimit) return;
    this.#parts.push({ text, encoding });
    this.#kept += length;
  }

  #addBytes(bytes: Uint8Array): void {
    this.size += bytes.byteLength;
    const room = bodyLimit - this.#kept;
    if (bytes.byteLength === 0 || room <= 0) return;
    // A copy: the app may use its buffer again, and a part of a buffer would keep all of it.
    const copy = Buffer.from(bytes.subarray(0, room));
    this.#parts.push(copy);
    this.#kept += copy.length;
  }
}

function encodingOf(encoding: unknown): BufferEncoding {
  return typeof encoding === 'string' && Buffer.isEncoding(encoding) ? encoding : 'utf8';
}
