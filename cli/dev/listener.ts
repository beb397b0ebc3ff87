// Owns the port for the whole session: accepts every connection, holds it or passes it to the live worker.
import net, { type AddressInfo, type Socket } from 'node:net';

/** Whoever answers: a worker, or the supervisor itself where no worker can. */
export interface Receiver {
  /** True while one socket is on its way; set by the listener. */
  busy: boolean;
  /** `sent`: another process has it now; `kept`: answered in this one; `lost`: never arrived. */
  accept(socket: Socket, done: (outcome: 'sent' | 'kept' | 'lost') => void): void;
}

export interface Listener {
  readonly address: AddressInfo;
  /** Who gets the next connections; `undefined` holds them. */
  pointTo(receiver: Receiver | undefined): void;
  /** Takes back a socket that a worker had not read from. */
  takeBack(socket: Socket): void;
  readonly held: number;
  close(): void;
}

/** Rejects with the error of `listen`, EADDRINUSE for one. */
export async function openListener(port: number, host: string): Promise<Listener> {
  const queue: Socket[] = [];
  let receiver: Receiver | undefined;
  const server = net.createServer({ pauseOnConnect: true, noDelay: true }, enqueue);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  server.removeAllListeners('error');
  // Out of descriptors, for one: this connection is lost, the next may succeed.
  server.on('error', () => {});

  function enqueue(socket: Socket): void {
    socket.on('error', () => socket.destroy());
    queue.push(socket);
    pump();
  }

  // One socket under way at a time: what waits here can still go to newer code, and survives a worker's death.
  function pump(): void {
    while (receiver && !receiver.busy) {
      const socket = queue.shift();
      if (!socket) return;
      if (!socket.destroyed) pass(socket, receiver);
    }
  }

  function pass(socket: Socket, to: Receiver): void {
    to.busy = true;
    to.accept(socket, (outcome) => {
      to.busy = false;
      if (outcome === 'sent') socket.destroy();
      if (outcome === 'lost') {
        if (receiver === to) receiver = undefined;
        queue.unshift(socket);
      }
      pump();
    });
  }

  return {
    address: server.address() as AddressInfo,
    get held() {
      return queue.length;
    },
    takeBack(socket) {
      // Node starts to read a received socket at once; the bytes belong to whoever answers.
      const handle = (socket as unknown as { _handle: { reading: boolean; readStop(): void } | null })
        ._handle;
      if (!handle) return;
      handle.readStop();
      handle.reading = false;
      enqueue(socket);
    },
    pointTo(next) {
      receiver = next;
      pump();
    },
    close() {
      server.close();
      for (const socket of queue.splice(0)) socket.destroy();
    },
  };
}
