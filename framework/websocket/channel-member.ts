// WebSocket: what channels need of a connection.
import type { Frame } from './frame.js';

/** A connection that can be subscribed to topics. */
export interface ChannelMember {
  /** False once the connection is closing or closed. */
  readonly isOpen: boolean;
  /**
   * Writes a frame. Returns false if the message was not sent: the connection is closed, or its buffer is full and
   * the connection drops messages then.
   */
  sendFrame(frame: Frame): boolean;
  /** Runs the callback once, when the connection has closed; at once if it is closed already. */
  whenClosed(callback: () => void): void;
  /**
   * The id of the last message of the topic that the client received on its connection before, if it has told one.
   * Asked once for a topic: afterwards it is undefined.
   */
  takeResumePoint(topic: string): string | undefined;
}
