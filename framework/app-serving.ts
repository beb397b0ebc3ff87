// The application's ways to be served: over sockets of its own or of others, and in process.
import type { Server as NetServer, Socket } from 'node:net';
import { AppSettings } from './app-settings.js';
import { type Handle, whenLoaded } from './dispatch.js';
import { fetchThrough } from './fetch.js';
import { acceptEvent } from './node/accepting.js';
import type { ListenAddress, RunningServer } from './node/listen.js';

export abstract class AppServing extends AppSettings {
  /** `oneshot` under the name that fetch runtimes look for; bound, so that it can be passed on. */
  readonly fetch: (request: Request) => Promise<Response>;

  constructor() {
    super();
    this.fetch = (request) => this.oneshot(request);
  }

  /** Closes the App for registration and gives the way of a request through it. @internal */
  protected abstract sealed(): Handle;

  /**
   * Starts an HTTP server. A number is a port on 127.0.0.1; port 0 takes a free one.
   *
   * @throws Error when the address is malformed, or the port is taken or not allowed.
   */
  async listen(address: ListenAddress): Promise<RunningServer> {
    const { listen } = await import('./node/listen.js');
    return listen(await this.#whenLoaded(), address, this.settings);
  }

  /**
   * Like `listen`; when the signal comes, stops accepting, lets requests in flight finish for up to
   * `shutdownGracePeriod`, then resolves.
   */
  async listenWithShutdown(
    address: ListenAddress,
    shutdown: PromiseLike<unknown> | AbortSignal,
  ): Promise<void> {
    const { listenUntil } = await import('./node/listen.js');
    await listenUntil(await this.#whenLoaded(), address, shutdown, this.settings);
  }

  /**
   * Like `listenWithShutdown` on a `net.Server` or `tls.Server` that listens already.
   *
   * @throws Error when the server does not listen, or is an HTTP server.
   */
  async serveWithShutdown(listener: NetServer, shutdown: PromiseLike<unknown> | AbortSignal): Promise<void> {
    const event = acceptEvent(listener);
    // The server accepts already: what comes while the module loads must not be lost.
    const early: Socket[] = [];
    const hold = (socket: Socket) => early.push(socket);
    listener.on(event, hold);
    const { serveUntil } = await import('./node/listen.js');
    const handle = await this.#whenLoaded();
    listener.off(event, hold);
    await serveUntil(handle, { listener, event, early }, shutdown, this.settings);
  }

  /** Answers a web Request in process, without a socket. Never rejects. */
  async oneshot(request: Request): Promise<Response> {
    return fetchThrough(this.handler(), request);
  }

  /** The way of a request through this App, for servers. @internal */
  handler(): Handle {
    const handle = this.sealed();
    return this.settings.isLoaded ? handle : whenLoaded(this.settings, handle);
  }

  /** @throws Error where a setting turns out to be wrong. */
  async #whenLoaded(): Promise<Handle> {
    const handle = this.sealed();
    await this.settings.loaded();
    return handle;
  }
}
