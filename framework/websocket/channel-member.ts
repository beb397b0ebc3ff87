// WebSocket: what channels need of a connection.
import type { Frame, FrameBatch } from './frame.js';

/** A connection that can be subscribed to topics. */
export interface ChannelMember {
  /** False once the connection is closing or closed. */
  readonly isOpen: boolean;
  /**
   * Writes a frame. Returns false if the message was not sent: the connection is closed, or its buffer is full and
   * the connection drops messages then.
   */
  sendFrame(frame: Frame): boolean;
  /**
   * Writes several messages, preferably with a single write of `batch.bytes`. Returns false if any of them was not
   * sent. Without this method each frame is sent by itself.
   */
  sendFrames?(batch: FrameBatch): boolean;
  /** Runs the callback once, when the connection has closed; at once if it is closed already. */
  whenClosed(callback: () => void): void;
  /**
   * The same when it begins to close, from which on it is not a subscriber any more: a slow client may take a while to
   * be closed. Without this method a connection is subscribed until it has closed.
   */
  whenClosing?(callback: () => void): void;
  /**
   * The id of the last message of the topic that the client received on its connection before, if it has told one.
   * Asked once for a topic: afterwards it is undefined.
   */
  takeResumePoint(topic: string): string | undefined;
  /** True if the client keeps the last id of each topic: only such a client gets `missed` and `position` frames. */
  readonly isResumable?: boolean;
}
