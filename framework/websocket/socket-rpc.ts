// WebSocket: what it needs of a registry whose subscriptions travel over it.
import type { Context } from '../context/context.js';

/** A connection, as subscriptions see it. */
export interface SubscriptionSocket {
  /** Sends a text; false if it was not sent. */
  send(text: string): boolean;
  /** Resolves when messages can be sent without waiting, or the connection has closed. */
  ready(): Promise<void>;
}

/** The subscriptions of one connection. */
export interface SocketSubscriptions {
  /** Handles the frame `subscribe` of a client, which may be anything. */
  subscribe(frame: unknown): void;
  /** Handles the frame `unsubscribe` of a client, which may be anything. */
  unsubscribe(frame: unknown): void;
  /** Ends all of them. */
  end(): void;
}

/** A registry of `fw/rpc`. */
export interface SocketRpc {
  /** Called for every connection, with the context of its handshake. */
  overSocket(ctx: Context, socket: SubscriptionSocket): SocketSubscriptions;
}
