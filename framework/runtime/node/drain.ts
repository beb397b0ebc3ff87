// Node: graceful shutdown: stops accepting connections, waits for requests in flight, then closes.

import type { ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { UpgradedConnection } from '../../http/upgrade.js';
import type { EndStream } from './send.js';

/** The members of an http.Server that a drain uses. */
type DrainableServer = NetServer & { closeIdleConnections(): void };

/**
 * How long an idle connection is kept during a drain, in milliseconds: a client that has just sent a request on a
 * kept-alive connection still gets its answer, with `Connection: close`.
 */
const IDLE_LINGER_MS = 1_000;

export class Drain {
  readonly #server: DrainableServer;
  readonly #graceMs: number;
  readonly #afterwards: () => Promise<void>;
  readonly #sockets = new OpenSockets();
  readonly #eventStreams = new Set<EndStream>();
  readonly #upgraded = new Set<UpgradedConnection>();
  #done: Promise<void> | undefined;

  constructor(server: DrainableServer, graceMs: number, afterwards: () => Promise<void> = async () => {}) {
    this.#server = server;
    this.#graceMs = graceMs;
    this.#afterwards = afterwards;
    server.on('connection', (socket: Socket) => this.#sockets.add(socket));
  }

  /** True once the drain has started; responses then have `Connection: close`. */
  get isRunning(): boolean {
    return this.#done !== undefined;
  }

  /** Ends an event stream when a drain starts: it may never end by itself, and its client reconnects. */
  endsAtOnce(outgoing: ServerResponse, end: EndStream): void {
    if (this.isRunning) {
      end();
      return;
    }
    this.#eventStreams.add(end);
    outgoing.once('close', () => this.#eventStreams.delete(end));
  }

  /** Tells a connection that was upgraded when a drain starts; it closes itself then. */
  goesAway(socket: Duplex, connection: UpgradedConnection): void {
    if (this.isRunning) {
      connection.goAway();
      return;
    }
    this.#upgraded.add(connection);
    socket.once('close', () => this.#upgraded.delete(connection));
  }

  /** Drains once; later calls return the same promise. `listener` is the accepting server if it is another one. */
  run(listener: NetServer = this.#server): Promise<void> {
    this.#done ??= this.#run(listener);
    return this.#done;
  }

  async #run(listener: NetServer): Promise<void> {
    // http.Server's own close() would close idle connections at once, and lose requests that are being sent.
    NetServer.prototype.close.call(listener);
    for (const end of this.#eventStreams) end();
    for (const connection of this.#upgraded) connection.goAway();
    const linger = setInterval(() => this.#closeIdle(), IDLE_LINGER_MS);
    const grace = setTimeout(() => this.#destroyAll(), this.#graceMs);
    await this.#allClosed();
    await closedHandles();
    clearInterval(linger);
    clearTimeout(grace);
    // Stops node:http's own timer; it reports an error, because the server is already closed.
    this.#server.close(() => {});
    await this.#afterwards();
  }

  #closeIdle(): void {
    let isSending = false;
    for (const socket of this.#sockets.open()) {
      if (socket.bytesRead === 0) socket.destroy();
      else if (socket.writableLength > 0) isSending = true;
    }
    // For node:http, a connection is idle once its response was handed over; closing it would cut the rest off.
    if (!isSending) this.#server.closeIdleConnections();
  }

  #destroyAll(): void {
    for (const socket of this.#sockets.open()) socket.destroy();
  }

  #allClosed(): Promise<void> {
    return new Promise((resolve) => {
      let open = 0;
      const watch = (socket: Socket) => {
        open += 1;
        socket.once('close', () => {
          open -= 1;
          if (open === 0) resolve();
        });
      };
      for (const socket of this.#sockets.open()) watch(socket);
      this.#server.on('connection', watch);
      if (open === 0) resolve();
    });
  }
}

/**
 * A socket that was destroyed just before a drain is open no more, but emits `close`, which ends the work for its
 * client, with the other handles that the event loop closes: after this turn's immediates, and before the next ones.
 */
async function closedHandles(): Promise<void> {
  for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve));
}

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
