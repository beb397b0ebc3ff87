// WebSocket: the size limit of single frames, which ws does not have.
import type { WebSocket } from 'ws';

/** The members of the receiver of ws that hold a frame's head. */
interface Receiver {
  _payloadLength: number;
  haveLength(callback: (error: Error) => void): void;
  createError(kind: ErrorConstructor, message: string, prefix: boolean, code: number, name: string): Error;
}

/** RFC 6455, section 7.4.1. */
const TOO_BIG = 1009;

export class FrameLimit {
  readonly #haveLength: (this: Receiver, callback: (error: Error) => void) => void;

  constructor(maxFrameSize: number) {
    /** Runs when the length of a frame is known, before its payload is read. */
    this.#haveLength = function haveLength(this: Receiver, callback) {
      if (this._payloadLength <= maxFrameSize) {
        const next = Object.getPrototypeOf(this) as Receiver;
        next.haveLength.call(this, callback);
        return;
      }
      const what = `a frame has at most ${maxFrameSize} bytes`;
      callback(this.createError(RangeError, what, false, TOO_BIG, 'WS_ERR_UNSUPPORTED_FRAME_LENGTH'));
    };
  }

  /** @throws Error if ws does not have the member that is replaced, so that the limit would not hold. */
  apply(ws: WebSocket): void {
    const { _receiver: receiver } = ws as unknown as { _receiver?: Receiver };
    if (typeof receiver?.haveLength !== 'function' || typeof receiver.createError !== 'function') {
      throw new Error('this version of ws is not supported; install ws 8.23');
    }
    receiver.haveLength = this.#haveLength;
  }
}
