// Node: the open connections of a server, which only a drain looks at.
import type { Socket } from 'node:net';

/** Fewer than these are never looked through when a connection is added. */
const FEW = 64;

/**
 * Refers to sockets weakly, and forgets those that were closed when as many were added since the last time as were
 * open then. A listener for the end of each, with a Set to delete from, takes 500 bytes more of every idle
 * connection: node:http listens to `close` too, twice during a request, and three listeners leave the socket with an
 * array of 19 places. An open socket is held by its handle, so it is never missed.
 */
export class OpenSockets {
  #sockets: WeakRef<Socket>[] = [];
  #mostUnchecked = FEW;

  add(socket: Socket): void {
    if (this.#sockets.length >= this.#mostUnchecked) {
      this.#sockets = this.#sockets.filter((one) => isOpen(one.deref()));
      this.#mostUnchecked = Math.max(FEW, this.#sockets.length * 2);
    }
    this.#sockets.push(new WeakRef(socket));
  }

  /** How many are referred to, closed ones among them. */
  get size(): number {
    return this.#sockets.length;
  }

  /** Those that were not destroyed; of the others, the event `close` may still be to come. */
  open(): Socket[] {
    return this.#sockets.map((one) => one.deref()).filter(isOpen);
  }
}

function isOpen(socket: Socket | undefined): socket is Socket {
  return socket !== undefined && !socket.closed;
}
