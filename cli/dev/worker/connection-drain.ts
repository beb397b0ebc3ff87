// The connections of a worker: accepts them from the supervisor, passes them to the server of the app, drains them.
import type { ServerResponse } from 'node:http';
import net from 'node:net';
import type { Http1Exchange } from './guard.js';

/** How long a request to old code may take after a save before its connection is closed, in milliseconds. */
const DRAIN_LIMIT = 30_000;
/** How long requests for the page about the app may take after those for the app, in milliseconds. */
const ASIDE_LIMIT = 1000;
/** How long a WebSocket may take to close, in milliseconds. */
const WEB_SOCKET_LIMIT = 1000;
// RFC 6455 section 7.4.1, 1012 "service restart": one unmasked close frame with that code.
const serviceRestart = Buffer.from([0x88, 0x02, 0x03, 0xf4]);

export class ConnectionDrain {
  readonly #giveBack: (socket: net.Socket) => Promise<void>;
  readonly #sockets = new Set<net.Socket>();
  /** Connections that have not sent anything yet, each with the function that passes it to the app's server. */
  readonly #silent = new Map<net.Socket, () => void>();
  /** Connections that have sent something while no server listened. */
  readonly #waiting = new Set<() => void>();
  readonly #returning = new Set<Promise<void>>();
  readonly #exchanges = new Set<Http1Exchange>();
  readonly #webSockets = new Set<net.Socket>();
  #server: net.Server | undefined;
  #isDraining = false;
  #asideTimer: NodeJS.Timeout | undefined;

  constructor(giveBack: (socket: net.Socket) => Promise<void>) {
    this.#giveBack = giveBack;
  }

  /** Sets the app's server. If it is closed, connections wait for the next one. */
  serve(server: net.Server): void {
    this.#server = server;
    for (const attach of this.#waiting) attach();
    this.#waiting.clear();
  }

  accept(handle: unknown): void {
    // The client may have disconnected while the socket was sent to this process.
    if (!(handle instanceof net.Socket)) return;
    const socket = handle;
    this.#sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => {
      this.#sockets.delete(socket);
      this.#silent.delete(socket);
    });
    // A connection that has not sent anything yet can still be returned at a drain.
    const attach = (): void => {
      if (!this.#silent.delete(socket)) return;
      socket.off('readable', arrived);
      this.#waiting.delete(attach);
      this.#server?.emit('connection', socket);
    };
    const arrived = (): void => {
      if (this.#server?.listening || this.#isDraining) attach();
      else this.#waiting.add(attach);
    };
    this.#silent.set(socket, attach);
    socket.once('readable', arrived);
    if (this.#isDraining) this.#returnSilent();
  }

  /** Called for every request that the app starts to handle. */
  began(exchange: Http1Exchange): void {
    this.#exchanges.add(exchange);
    exchange.response.once('close', () => {
      this.#exchanges.delete(exchange);
      this.#limitAsides();
    });
    if (this.#isDraining) exchange.endEventStream();
  }

  /** The responses that the app makes now, but for event streams whose head was sent. */
  *running(): Generator<ServerResponse> {
    for (const one of this.#exchanges) if (one.isAside !== true && !one.isEventStream()) yield one.response;
  }

  /** Called for every socket that was upgraded to WebSocket. */
  upgraded(socket: net.Socket): void {
    this.#webSockets.add(socket);
    socket.once('close', () => this.#webSockets.delete(socket));
  }

  /** Forgets a socket that is about to be sent to another process, and stops reading from it. */
  release(socket: net.Socket): void {
    // `process.send` would count it as one of the server's connections.
    const held = socket as unknown as { server: unknown; _handle?: { readStop?: () => void } };
    held._handle?.readStop?.();
    held.server = null;
    this.#sockets.delete(socket);
  }

  /** Finishes the requests in flight and accepts nothing new; settles when all sockets are closed. */
  async drain(): Promise<void> {
    this.#isDraining = true;
    this.#returnSilent();
    for (const exchange of this.#exchanges) exchange.endEventStream();
    this.#limitAsides();
    for (const socket of this.#webSockets) if (socket.writable) socket.end(serviceRestart);
    const limits = [
      setTimeout(() => destroyAll(this.#sockets), DRAIN_LIMIT),
      setTimeout(() => destroyAll(this.#webSockets), WEB_SOCKET_LIMIT),
    ];
    // Handles are sent back one by one: an exit before the last is sent would lose its connection.
    while (this.#sockets.size > 0 || this.#returning.size > 0) {
      const closing = [...this.#sockets].map((socket) => new Promise((done) => socket.once('close', done)));
      await Promise.all([...closing, ...this.#returning]);
    }
    clearTimeout(this.#asideTimer);
    for (const limit of limits) clearTimeout(limit);
  }

  /** The page about the app must not keep old code: the supervisor answers it through the next worker too. */
  #limitAsides(): void {
    if (!this.#isDraining || this.#asideTimer !== undefined) return;
    const open = [...this.#exchanges];
    if (open.length === 0 || open.some(({ isAside }) => isAside !== true)) return;
    this.#asideTimer = setTimeout(() => {
      for (const { response } of this.#exchanges) response.socket?.destroy();
    }, ASIDE_LIMIT);
  }

  #returnSilent(): void {
    for (const [socket, attach] of this.#silent) {
      // Node has no public API to stop reading permanently; without `readStop` the old code answers.
      const handle = (socket as unknown as { _handle?: { readStop?: () => void } })._handle;
      if (socket.readableLength > 0 || !handle?.readStop) {
        attach();
        continue;
      }
      handle.readStop();
      this.#silent.delete(socket);
      this.#sockets.delete(socket);
      const gone = this.#giveBack(socket).finally(() => this.#returning.delete(gone));
      this.#returning.add(gone);
    }
  }
}

function destroyAll(sockets: Iterable<net.Socket>): void {
  for (const socket of sockets) socket.destroy();
}
