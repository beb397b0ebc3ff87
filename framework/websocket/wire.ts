// WebSocket: a connection as the code around it sees it, whoever speaks the protocol: ws, or the server of Bun.
import type { FrameBatch } from './frame.js';
import type { Inbox } from './inbox.js';
import type { SocketLimits } from './socket-config.js';

/** States of a connection, as `readyState` has them. */
export const OPEN = 1;
export const CLOSING = 2;
export const CLOSED = 3;

export interface Wire {
  /** What the connection receives goes there. */
  inbox: Inbox | undefined;
  readonly readyState: number;
  /** The sub-protocol that was selected; empty if there is none. */
  readonly protocol: string;
  /** Whether it tells of each message when it is sent, because messages may be compressed before. */
  readonly tellsOfEach: boolean;
  /** Bytes that were received. */
  readonly bytesRead: number;
  /** Bytes that wait, with those that are still to be compressed. */
  readonly bufferedAmount: number;
  /** Bytes that wait for the client. */
  readonly unsentBytes: number;
  /** Whether what is written is held back for a moment, to be written at once. */
  readonly isCorked: boolean;
  readonly isPaused: boolean;
  pause(): void;
  resume(): void;
  uncork(): void;
  /**
   * Writes one message.
   *
   * @param bytes its frame; as a string it is latin1
   */
  write(bytes: Buffer | string, payload: string | Uint8Array, limits: SocketLimits): void;
  /** Writes several messages, none of which is larger than a frame may be. */
  writeBatch(batch: FrameBatch): void;
  /** Sends a message, and calls back when it was sent. */
  sendMessage(payload: string | Uint8Array, limits: SocketLimits, sent: () => void): void;
  /** Calls back when everything that waits now was passed on. */
  whenPassedOn(callback: () => void): void;
  ping(): void;
  pong(payload: Buffer): void;
  close(code: number, reason: string): void;
  terminate(): void;
}
