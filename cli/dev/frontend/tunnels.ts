// WebSockets between browsers and Vite, by which modules are replaced: they live in the supervisor, because a worker
// that ended them would make Vite's client reload the page at every change of the app.
import net, { type Socket } from 'node:net';

export class Tunnels {
  readonly #port: number;
  readonly #open = new Set<Socket>();

  /** @param port of Vite, on 127.0.0.1 */
  constructor(port: number) {
    this.#port = port;
  }

  get count(): number {
    return this.#open.size / 2;
  }

  /**
   * @param head the request as it is sent to Vite
   * @param isOneWay Vite hears nothing of the client after its request
   */
  accept(client: Socket, head: string, isOneWay = false): void {
    const vite = net.connect({ port: this.#port, host: '127.0.0.1' });
    for (const [one, other] of [
      [client, vite],
      [vite, client],
    ] as const) {
      this.#open.add(one);
      one.setNoDelay(true);
      one.once('close', () => {
        this.#open.delete(one);
        other.destroy();
      });
      // `close` follows.
      one.on('error', () => {});
    }
    vite.write(head, 'latin1');
    vite.pipe(client);
    if (isOneWay) client.resume().once('end', () => vite.end());
    else client.pipe(vite);
  }

  close(): void {
    for (const socket of this.#open) socket.destroy();
  }
}
