// Node: reads the whole body of a BodyMessage, subject to the size limit and the idle timeout.
import { bodyTooLarge } from '../../http/body-limit.js';
import type { FwError } from '../../http/errors.js';
import { clientGone, stoppedComing } from './body-errors.js';
import type { BodyMessage, BodyReader } from './body-message.js';
import type { BodyWait, IdleBodies } from './idle-bodies.js';

/** The request that a body belongs to. */
export interface BodyOwner {
  /** The number of chunks that were read. */
  bodyChunks: number;
  /** Stops reading the body: the connection cannot be reused after that. */
  abandonBody(): void;
}

export class BodyCollector implements BodyReader {
  /** Rejects with an FwError if the body is too large, stops coming, or breaks off. */
  readonly bytes: Promise<Uint8Array>;
  readonly #owner: BodyOwner;
  readonly #message: BodyMessage;
  readonly #maxBytes: number;
  #first: Buffer | undefined = undefined;
  /** All chunks, if there are several: nearly every body is one. */
  #chunks: Buffer[] | undefined = undefined;
  #size = 0;
  readonly #wait: BodyWait | undefined = undefined;
  #resolve: ((bytes: Uint8Array) => void) | undefined = undefined;
  #reject: ((error: FwError) => void) | undefined = undefined;

  constructor(owner: BodyOwner, message: BodyMessage, maxBytes: number, idleBodies: IdleBodies | undefined) {
    this.#owner = owner;
    this.#message = message;
    this.#maxBytes = maxBytes;
    this.bytes = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    if (idleBodies !== undefined) this.#wait = idleBodies.wait(() => this.#refuse(stoppedComing(idleBodies)));
    message.collect(this);
  }

  bodyChunk(chunk: Buffer): void {
    this.#size += chunk.length;
    this.#owner.bodyChunks += 1;
    if (this.#size > this.#maxBytes) {
      this.#refuse(bodyTooLarge(this.#maxBytes));
      return;
    }
    this.#wait?.touch();
    if (this.#first === undefined) this.#first = chunk;
    else if (this.#chunks === undefined) this.#chunks = [this.#first, chunk];
    else this.#chunks.push(chunk);
  }

  bodyEnded(): void {
    this.#wait?.end();
    this.#resolve?.(this.#chunks === undefined ? (this.#first ?? NOTHING) : Buffer.concat(this.#chunks));
  }

  bodyFailed(cause: unknown): void {
    this.#wait?.end();
    this.#reject?.(clientGone(cause));
  }

  /** Reads no further; what has arrived is garbage with this object. */
  #refuse(error: FwError): void {
    this.#wait?.end();
    this.#message.stopCollecting();
    this.#owner.abandonBody();
    this.#reject?.(error);
  }
}

const NOTHING = Buffer.alloc(0);
