// The sockets of a worker: accepted from the supervisor, given to the app's server, finished at a drain.
import net from 'node:net';
import type { Http1Exchange } from './worker-guard.js';

/** How long a request of old code may take after a save before it is cut off, in milliseconds. */
const drainLimit = 30_000;
// RFC 6455 section 7.4.1, 1012 "service restart": one unmasked close frame with that code.
const serviceRestart = Buffer.from([0x88, 0x02, 0x03, 0xf4]);

export interface Intake {
  accept(handle: unknown): void;
  /** The app's server, from now on. */
  serve(server: net.Server): void;
  /** Called for every request of the app that is under way. */
  began(exchange: Http1Exchange): void;
  /** Called for every socket that left HTTP for WebSocket. */
  upgraded(socket: net.Socket): void;
  /** Finishes what is under way and takes nothing new; settles when no socket is left. */
  drain(): Promise<void>;
}

export function createIntake(giveBack: (socket: net.Socket) => Promise<void>): Intake {
  const sockets = new Set<net.Socket>();
  const silent = new Map<net.Socket, () => void>();
  const returning = new Set<Promise<void>>();
  const exchanges = new Set<Http1Exchange>();
  const webSockets = new Set<net.Socket>();
  let server: net.Server | undefined;
  let draining = false;

  function accept(handle: unknown): void {
    // The client may have gone while the socket travelled.
    if (!(handle instanceof net.Socket)) return;
    const socket = handle;
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => {
      sockets.delete(socket);
      silent.delete(socket);
    });
    silent.set(socket, attach);
    socket.once('readable', attach);

    // A connection that has said nothing yet belongs to no code: it can still go back at a drain.
    function attach(): void {
      if (!silent.delete(socket)) return;
      socket.off('readable', attach);
      server?.emit('connection', socket);
    }
    if (draining) returnSilent();
  }

  function returnSilent(): void {
    for (const [socket, attach] of silent) {
      // Node has no public way to stop reading for good; without this one the old code answers.
      const handle = (socket as unknown as { _handle?: { readStop?: () => void } })._handle;
      if (socket.readableLength > 0 || !handle?.readStop) {
        attach();
        continue;
      }
      handle.readStop();
      silent.delete(socket);
      sockets.delete(socket);
      const gone = giveBack(socket).finally(() => returning.delete(gone));
      returning.add(gone);
    }
  }

  async function drain(): Promise<void> {
    draining = true;
    returnSilent();
    for (const exchange of exchanges) exchange.endEventStream();
    for (const socket of webSockets) if (socket.writable) socket.end(serviceRestart);
    const limit = setTimeout(() => {
      for (const socket of sockets) socket.destroy();
    }, drainLimit);
    const webSocketLimit = setTimeout(() => {
      for (const socket of webSockets) socket.destroy();
    }, 1000);
    // Handles leave one by one: an exit before the last has left would lose its connection.
    while (sockets.size > 0 || returning.size > 0) {
      const closing = [...sockets].map((socket) => new Promise((done) => socket.once('close', done)));
      await Promise.all([...closing, ...returning]);
    }
    clearTimeout(limit);
    clearTimeout(webSocketLimit);
  }

  return {
    accept,
    drain,
    serve(next) {
      server = next;
    },
    began(exchange) {
      exchanges.add(exchange);
      exchange.response.once('close', () => exchanges.delete(exchange));
      if (draining) exchange.endEventStream();
    },
    upgraded(socket) {
      webSockets.add(socket);
      socket.once('close', () => webSockets.delete(socket));
    },
  };
}
