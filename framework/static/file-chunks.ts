// Static files: reads a large file chunk by chunk from a descriptor, which it closes in any case.
import { close, read } from 'node:fs';

/** The size of a read in bytes, which is what a slow client keeps in memory. */
const CHUNK_BYTES = 128 * 1024;

interface Descriptor {
  readonly fd: number;
  isOpen: boolean;
}

/** Closes the descriptor of a response that is dropped unread, for example because a middleware fails. */
const abandoned = new FinalizationRegistry<Descriptor>(closeOnce);

/**
 * Exactly `length` bytes from `position` on, even if the file grows during that. If it shrinks, reading fails, so
 * that the connection is closed. Closes the descriptor at the end, on a failure, and on `return`.
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

  /** Closes the descriptor after a pending read: otherwise its number could already belong to another file. */
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
  // The descriptor is read-only, so nothing is lost if closing fails.
  close(descriptor.fd, () => {});
}
