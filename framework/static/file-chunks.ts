// Static files: reads a large file piece by piece, from a descriptor that it closes whatever happens.
import { close, read } from 'node:fs';

/** Bytes of one read: what a slow client holds in memory. */
const CHUNK_BYTES = 128 * 1024;

interface Descriptor {
  readonly fd: number;
  isOpen: boolean;
}

/** A response that is dropped before anybody reads it, by a middleware that fails for example. */
const abandoned = new FinalizationRegistry<Descriptor>(closeOnce);

/**
 * Exactly `length` bytes from `position` on, also where the file grows meanwhile; one that got shorter fails, so
 * that the client sees the connection break. Closes the descriptor at the end, on a failure, and on `return`.
 */
export class FileChunks implements AsyncIterableIterator<Uint8Array> {
  readonly #descriptor: Descriptor;
  #position: number;
  #left: number;
  #isReading = false;
  #isStopped = false;

  constructor(fd: number, position: number, length: number) {
    this.#descriptor = { fd, isOpen: true };
    this.#position = position;
    this.#left = length;
    abandoned.register(this, this.#descriptor);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<Uint8Array>> {
    if (this.#left === 0) this.#stop();
    if (this.#isStopped) return { done: true, value: undefined };
    this.#isReading = true;
    try {
      const chunk = await readChunk(this.#descriptor.fd, this.#position, Math.min(CHUNK_BYTES, this.#left));
      if (chunk.length === 0) throw new Error(`the file lost its last ${this.#left} bytes while it was sent`);
      this.#position += chunk.length;
      this.#left -= chunk.length;
      return this.#isStopped ? { done: true, value: undefined } : { done: false, value: chunk };
    } catch (error) {
      this.#isStopped = true;
      throw error;
    } finally {
      this.#isReading = false;
      if (this.#left === 0 || this.#isStopped) this.#stop();
    }
  }

  async return(): Promise<IteratorResult<Uint8Array>> {
    this.#stop();
    return { done: true, value: undefined };
  }

  /** A descriptor under a running read stays open until that ends: its number could be another file's by then. */
  #stop(): void {
    this.#isStopped = true;
    if (!this.#isReading) closeOnce(this.#descriptor);
  }
}

function readChunk(fd: number, position: number, length: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunk = Buffer.allocUnsafeSlow(length);
    read(fd, chunk, 0, length, position, (error, count) => {
      if (error) reject(error);
      else resolve(count === length ? chunk : chunk.subarray(0, count));
    });
  });
}

function closeOnce(descriptor: Descriptor): void {
  if (!descriptor.isOpen) return;
  descriptor.isOpen = false;
  // Read-only: there is nothing that a failing close could lose.
  close(descriptor.fd, () => {});
}
