// Owns the port for the whole session: accepts every connection, and holds it or passes it to the live worker.
import net, { type AddressInfo, type Socket } from 'node:net';
import type { Receiver } from '../process/messages.js';

export class Listener {
  readonly #server = net.createServer({ pauseOnConnect: true, noDelay: true }, (socket) =>
    this.#enqueue(socket),
  );
  readonly #queue: Socket[] = [];
  #receiver: Receiver | undefined;

  /** Rejects with the error of `listen`, such as EADDRINUSE. */
  static async open(port: number, host: string): Promise<Listener> {
    const listener = new Listener();
    const server = listener.#server;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, resolve);
    });
    server.removeAllListeners('error');
    // If the process is out of descriptors, for example, this connection is lost, but the next may succeed.
    server.on('error', () => {});
    return listener;
  }

  get address(): AddressInfo {
    return this.#server.address() as AddressInfo;
  }

  /** How many connections are waiting. */
  get held(): number {
    return this.#queue.length;
  }

  /** Sets the receiver of the next connections; `undefined` holds them. */
  pointTo(receiver: Receiver | undefined): void {
    this.#receiver = receiver;
    this.#pump();
  }

  /** Takes back a socket that a worker had not read from. */
  takeBack(socket: Socket): void {
    // Node starts reading a received socket at once, but only the process that answers may read it.
    const { _handle: handle } = socket as unknown as {
      _handle: { reading: boolean; readStop(): void } | null;
    };
    if (!handle) return;
    handle.readStop();
    handle.reading = false;
    this.#enqueue(socket);
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#queue.splice(0)) socket.destroy();
  }

  #enqueue(socket: Socket): void {
    socket.on('error', () => socket.destroy());
    this.#queue.push(socket);
    this.#pump();
  }

  /**
   * Sends one socket at a time: those that wait here can still go to newer code, and survive the death of a
   * worker.
   */
  #pump(): void {
    while (this.#receiver && !this.#receiver.busy) {
      const socket = this.#queue.shift();
      if (!socket) return;
      if (!socket.destroyed) this.#pass(socket, this.#receiver);
    }
  }

  #pass(socket: Socket, to: Receiver): void {
    to.busy = true;
    to.accept(socket, (outcome) => {
      to.busy = false;
      if (outcome === 'sent') socket.destroy();
      if (outcome === 'lost') {
        if (this.#receiver === to) this.#receiver = undefined;
        this.#queue.unshift(socket);
      }
      this.#pump();
    });
  }
}
