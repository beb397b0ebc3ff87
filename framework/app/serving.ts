// Serving an application: over its own or an existing listener, and in process without a socket.

import type { Server as NetServer, Socket } from 'node:net';
import type { Handle } from '../dispatch/dispatch.js';
import { errorResponse } from '../dispatch/error-response.js';
import type { MatchedRoute } from '../dispatch/unmatched.js';
import { readTarget } from '../http/request-target.js';
import { checkValue } from '../options/check.js';
import { either, objectWith } from '../options/rules.js';
import { fetchThrough } from '../runtime/fetch.js';
import type { Runtime } from '../runtime/fetch-server.js';
import { acceptEvent } from '../runtime/node/accepting.js';
import type { ListenAddress, RunningServer } from '../runtime/node/listen.js';
import { assertNodeServer } from '../runtime/serving-here.js';
import type { ServingSide } from '../runtime/serving-side.js';
import { reportError } from '../tracing/error-channel.js';
import { announceApp } from './app-channel.js';
import { AppSettings } from './app-settings.js';
import type { AppDescription } from './description/app-description.js';

const SHUTDOWN = either(
  objectWith(['then'], 'a promise, such as shutdownSignal()'),
  objectWith(['addEventListener'], 'an AbortSignal'),
);

export abstract class AppServing extends AppSettings {
  /**
   * `oneshot` under the name that fetch runtimes expect; bound to the App. What they pass with the Request, handlers get
   * as `ctx.platform.env` and `ctx.platform.ctx`.
   */
  readonly fetch: (request: Request, env?: unknown, ctx?: unknown) => Promise<Response>;

  constructor() {
    super();
    this.fetch = (request, env, ctx) => this.answer(request, undefined, { env, ctx });
  }

  /** Describes the App, to tools of development. @internal */
  protected abstract described(): Promise<AppDescription>;

  /** Tells tools of development that this App answers from now on. @internal */
  announce(): void {
    announceApp({ describe: () => this.described() });
  }

  /** Closes the App for registration and returns its request handler. @internal */
  protected abstract sealed(): Handle;

  /** The routes without parameters. @internal */
  protected abstract fixedRoutes(): readonly MatchedRoute[];

  /**
   * Starts an HTTP server and resolves when it accepts connections. A number is a port on 127.0.0.1; port 0
   * picks a free port, which is in the `address` of the returned server.
   *
   * @throws ConfigError when the address is malformed, or on Bun and Workers, where it names what to use; Error when
   * the port is in use or not permitted.
   */
  async listen(address: ListenAddress): Promise<RunningServer> {
    assertNodeServer('app.listen()');
    const { listen } = await import('../runtime/node/serve.js');
    return listen(await this.#whenLoaded(), address, this.settings);
  }

  /**
   * Like `listen`, with a graceful shutdown: when `shutdown` aborts or settles, it stops accepting connections,
   * waits up to `shutdownGracePeriod` for requests in flight, and resolves.
   */
  async listenWithShutdown(
    address: ListenAddress,
    shutdown: PromiseLike<unknown> | AbortSignal,
  ): Promise<void> {
    checkValue('listenWithShutdown', 'the end', shutdown, SHUTDOWN);
    assertNodeServer('app.listenWithShutdown()');
    const { listenUntil } = await import('../runtime/node/serve.js');
    await listenUntil(await this.#whenLoaded(), address, shutdown, this.settings);
  }

  /**
   * Like `listenWithShutdown`, on a `net.Server` or `tls.Server` that is already listening.
   *
   * @throws ConfigError when the server is not listening, or is an HTTP server.
   */
  async serveWithShutdown(listener: NetServer, shutdown: PromiseLike<unknown> | AbortSignal): Promise<void> {
    checkValue('serveWithShutdown', 'the end', shutdown, SHUTDOWN);
    assertNodeServer('app.serveWithShutdown()');
    const event = acceptEvent(listener);
    // The server already accepts connections: those that arrive while the module loads must not be lost.
    const early: Socket[] = [];
    const hold = (socket: Socket) => early.push(socket);
    listener.on(event, hold);
    const { serveUntil } = await import('../runtime/node/serve.js');
    const handle = await this.#whenLoaded();
    listener.off(event, hold);
    await serveUntil(handle, { listener, event, early }, shutdown, this.settings);
  }

  /** Starts the server of another runtime, for `fw/bun` and `fw/deno`. @internal */
  async listenOn(runtime: Runtime, address: ListenAddress): Promise<RunningServer> {
    const { serveOn } = await import('../runtime/fetch-server.js');
    return serveOn(runtime, await this.#whenLoaded(), address, this.settings, this.fixedRoutes());
  }

  /** Answers a web `Request` in process, without a socket. Errors of handlers become responses. */
  oneshot(request: Request): Promise<Response> {
    return this.answer(request);
  }

  /** Answers a Request of a platform, for adapters such as `fw/lambda`. @internal */
  answer(request: Request, side?: ServingSide, info?: unknown): Promise<Response> {
    try {
      return Promise.resolve(fetchThrough(this.handler(), request, side, info));
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /** The request handler of this App, for servers. @internal */
  handler(): Handle {
    const handle = this.sealed();
    return this.settings.isLoaded ? handle : this.#onceLoaded(handle);
  }

  /** The handler, for requests that may arrive before the code of a setting is loaded. */
  #onceLoaded(handle: Handle): Handle {
    return (source, deliver, matched) => {
      // Stryker disable next-line ConditionalExpression,BlockStatement: waiting for loaded code only takes another turn
      if (this.settings.isLoaded) return handle(source, deliver, matched);
      return this.settings.loaded().then(
        () => handle(source, deliver, matched),
        (error: unknown) => {
          reportError({ error, status: 500, method: source.method, path: readTarget(source.target).path });
          return deliver(errorResponse(error), source);
        },
      );
    };
  }

  /** @throws ConfigError when a setting is wrong. */
  async #whenLoaded(): Promise<Handle> {
    const handle = this.sealed();
    await this.settings.loaded();
    this.announce();
    return handle;
  }
}
