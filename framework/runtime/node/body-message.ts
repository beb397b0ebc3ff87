// Node: the IncomingMessage of fw's own server, whose body is a stream only if something reads it as one.
import { IncomingMessage } from 'node:http';

/**
 * Gets the chunks of a body straight from the parser of node:http. One of `bodyEnded` and `bodyFailed` is called
 * once, unless the reader is taken away by `stopCollecting`.
 */
export interface BodyReader {
  bodyChunk(chunk: Buffer): void;
  bodyEnded(): void;
  /** The connection was closed before the body was complete. */
  bodyFailed(cause: unknown): void;
}

/** The members of node:http's message that `BodyMessage` uses; `hasInternals` checks that they exist. */
interface Internals {
  /** Whether something reads the body, so that the server does not discard it after the response. */
  _consuming: boolean;
  readonly _readableState: { ended: boolean; endEmitted: boolean };
  _read(size: number): void;
  _dump(): void;
}

/**
 * A readable stream costs every request about a sixth of its instructions (`npm run instructions` in e2e/bench), also
 * one without a body, whose end is announced over several ticks. Here the parser's chunks are kept until something
 * reads. `collect` passes them on as they arrive. Everything else that reads a message (`on('data')`, `pipe`, an
 * iterator) ends in `_read`, which makes it the ordinary stream.
 */
export class BodyMessage extends IncomingMessage {
  /** Chunks that nothing has read yet. */
  #kept: Buffer[] | undefined = undefined;
  #reader: BodyReader | undefined = undefined;
  #isStream: boolean = !isSupported;
  /** How many bytes were kept; not fewer once they are read. */
  keptBytes = 0;

  /** Called by the parser with each chunk, and with null at the end, when `complete` is already set. */
  override push(chunk: Buffer | null, encoding?: BufferEncoding): boolean {
    if (this.#isStream) return super.push(chunk, encoding);
    const reader = this.#reader;
    if (chunk === null) {
      if (reader !== undefined) this.#end(reader);
      return false;
    }
    if (reader !== undefined) {
      reader.bodyChunk(chunk);
      return true;
    }
    if (this.#kept === undefined) this.#kept = [chunk];
    else this.#kept.push(chunk);
    this.keptBytes += chunk.length;
    // The parser stops reading from the socket if this is false.
    return this.keptBytes < this.readableHighWaterMark;
  }

  /** Whether `collect` can be called: nothing reads the body as a stream. */
  get isCollectable(): boolean {
    return !this.#isStream && this.#reader === undefined;
  }

  /** Gives the whole body to the reader: what has arrived at once, the rest as it arrives. */
  collect(reader: BodyReader): void {
    const kept = this.#kept;
    const internals = this as unknown as Internals;
    this.#reader = reader;
    if (kept !== undefined) {
      this.#kept = undefined;
      for (const chunk of kept) {
        reader.bodyChunk(chunk);
        // It may have refused the body.
        if (this.#reader === undefined) return;
      }
    }
    if (this.complete) this.#end(reader);
    // The server must not discard the rest if the response is sent before it arrives.
    else if (this.keptBytes < this.readableHighWaterMark) internals._consuming = true;
    // The socket was stopped, and is started again.
    else super._read(0);
  }

  /** Takes the reader away; the rest of the body is kept like one that nothing reads. */
  stopCollecting(): void {
    this.#reader = undefined;
  }

  override _read(size: number): void {
    if (!this.#isStream) this.#becomeStream();
    super._read(size);
  }

  /** Called by node:http after the response, if nothing has read the body. */
  _dump(): void {
    if (this.complete && !this.#isStream) {
      if (!this.#isObserved()) {
        this.#markEnded();
        return;
      }
      // Node 26 expects that a complete message has its end already.
      this.#becomeStream();
    }
    (IncomingMessage.prototype as unknown as Internals)._dump.call(this);
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    const reader = this.#reader;
    this.#reader = undefined;
    super._destroy(error, callback);
    reader?.bodyFailed(error);
  }

  #end(reader: BodyReader): void {
    this.#reader = undefined;
    // The wait for a body that outlasts its response is one of those that end with `close`.
    if (this.#isObserved()) {
      this.#becomeStream();
      this.resume();
    } else this.#markEnded();
    reader.bodyEnded();
  }

  #becomeStream(): void {
    const kept = this.#kept;
    this.#isStream = true;
    this.#kept = undefined;
    if (kept !== undefined) for (const chunk of kept) super.push(chunk);
    if (this.complete) super.push(null);
  }

  /** Whether somebody waits for an event that only the ordinary stream emits. */
  #isObserved(): boolean {
    return this.listenerCount('end') > 0 || this.listenerCount('close') > 0;
  }

  /** As after the event `end`: node:http then forgets the message, and a later reader sees that it is read. */
  #markEnded(): void {
    const { _readableState: state } = this as unknown as Internals;
    state.ended = true;
    state.endEmitted = true;
  }
}

/** Whether a message has the members that are used here, and they have the expected effect. */
function hasInternals(): boolean {
  const probe = new IncomingMessage(null as never);
  const { _consuming, _readableState: state } = probe as unknown as Partial<Internals>;
  if (_consuming !== false || state?.ended !== false) return false;
  const { _read, _dump } = probe as unknown as Partial<Internals>;
  if (typeof _read !== 'function' || typeof _dump !== 'function' || probe.readableEnded) return false;
  state.ended = true;
  state.endEmitted = true;
  return probe.readableEnded;
}

/** If false, every message is an ordinary stream from the start, which is only slower. */
const isSupported: boolean = hasInternals();
