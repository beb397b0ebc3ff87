// The interface of what accepts the connections of `fw dev`.
import type { Socket } from 'node:net';

/** A worker, or the supervisor itself while there is no worker that could answer. */
export interface Receiver {
  /** True while one socket is on its way; set by the listener. */
  busy: boolean;
  /** `sent`: another process has the socket; `kept`: this process answers; `lost`: it never arrived. */
  accept(socket: Socket, done: (outcome: 'sent' | 'kept' | 'lost') => void): void;
}
