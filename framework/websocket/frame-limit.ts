// WebSocket: the size limit of single frames, which ws does not have.
import * as ws from 'ws';
import { ConfigError } from '../config-error.js';

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

  /** @throws ConfigError if ws does not have the members that are replaced, so that the limit would not hold. */
  constructor(maxFrameSize: number) {
    const { prototype } = (ws as unknown as { Receiver?: { prototype: Partial<Receiver> } }).Receiver ?? {};
    if (typeof prototype?.haveLength !== 'function' || typeof prototype.createError !== 'function') {
      throw new ConfigError(
        'FW_PACKAGE_VERSION',
        'websocket(): this version of ws is not supported; install ws 8.23',
      );
    }
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

  apply(socket: ws.WebSocket): void {
    (socket as unknown as { _receiver: Receiver })._receiver.haveLength = this.#haveLength;
  }
}
