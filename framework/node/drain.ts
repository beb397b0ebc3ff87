// Node: ends a server without cutting an answer: accept no more, finish what is in flight, then close.

import type { ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import type { EndStream } from './send.js';

/** The part of an http.Server that a drain needs. */
type DrainableServer = NetServer & { closeIdleConnections(): void };

/**
 * How long a connection without a request is kept during a drain, in milliseconds: a client that has just
 * sent one on a kept-alive connection still gets its answer, with `Connection: close`.
 */
const IDLE_LINGER_MS = 1_000;

export class Drain {
  readonly #server: DrainableServer;
  readonly #graceMs: number;
  readonly #sockets = new Set<Socket>();
  readonly #eventStreams = new Set<EndStream>();
  #done: Promise<void> | undefined;

  constructor(server: DrainableServer, graceMs: number) {
    this.#server = server;
    this.#graceMs = graceMs;
    server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
  }

  /** True from the start of the drain: answers then carry `Connection: close`. */
  get isRunning(): boolean {
    return this.#done !== undefined;
  }

  /** Ends an event stream as soon as a drain starts: it has no end to wait for, and its client reconnects. */
  endsAtOnce(outgoing: ServerResponse, end: EndStream): void {
    if (this.isRunning) {
      end();
      return;
    }
    this.#eventStreams.add(end);
    outgoing.once('close', () => this.#eventStreams.delete(end));
  }

  /** Drains once; later calls wait for the same end. `listener` is the accepting server where it is another. */
  run(listener: NetServer = this.#server): Promise<void> {
    this.#done ??= this.#run(listener);
    return this.#done;
  }

  async #run(listener: NetServer): Promise<void> {
    // http.Server's own close() would cut idle connections at once, and with them requests on their way.
    NetServer.prototype.close.call(listener);
    for (const end of this.#eventStreams) end();
    const linger = setInterval(() => this.#closeIdle(), IDLE_LINGER_MS);
    const grace = setTimeout(() => this.#destroyAll(), this.#graceMs);
    await this.#allClosed();
    clearInterval(linger);
    clearTimeout(grace);
    // Stops node:http's own timer; the server is closed already, which it reports as an error.
    this.#server.close(() => {});
  }

  #closeIdle(): void {
    let isSending = false;
    for (const socket of this.#sockets) {
      if (socket.bytesRead === 0) socket.destroy();
      else if (socket.writableLength > 0) isSending = true;
    }
    // node:http calls a connection idle as soon as its answer is handed over, and would cut the rest of it.
    if (!isSending) this.#server.closeIdleConnections();
  }

  #destroyAll(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  #allClosed(): Promise<void> {
    return new Promise((resolve) => {
      const check = () => {
        if (this.#sockets.size === 0) resolve();
      };
      for (const socket of this.#sockets) socket.once('close', check);
      this.#server.on('connection', (socket: Socket) => socket.once('close', check));
      check();
    });
  }
}
