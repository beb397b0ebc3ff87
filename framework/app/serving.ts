// Serving an application: over its own or an existing listener, and in process without a socket.

import type { Server as NetServer, Socket } from 'node:net';
import type { Handle } from '../dispatch/dispatch.js';
import { respondToError } from '../dispatch/error-response.js';
import type { MatchedRoute } from '../dispatch/unmatched.js';
import { readTarget } from '../http/request-target.js';
import { checkValue } from '../options/check.js';
import { either, objectWith, type Rule } from '../options/rules.js';
import type { ApiDescription } from '../rpc/api-description.js';
import { fetchThrough } from '../runtime/fetch.js';
import type { Runtime } from '../runtime/fetch-server.js';
import { acceptEvent } from '../runtime/node/accepting.js';
import type { ListenAddress, RunningServer } from '../runtime/node/listen.js';
import { assertNodeServer, type ServingSide } from '../runtime/serving-side.js';
import { reportError } from '../tracing/error-channel.js';
import { announceApp } from './app-channel.js';
import type { AppDescription } from './description/app-description.js';
import type { Settings } from './settings/settings.js';

const SHUTDOWN = either(
  objectWith(['then'], 'a promise, such as shutdownSignal()'),
  objectWith(['addEventListener'], 'an AbortSignal'),
);

const REQUEST: Rule = {
  takes: "a Request, such as new Request('http://localhost/path'); in tests, new TestClient(app) takes paths",
  fault: () => ({ code: 'FW_OPTION_TYPE' }),
};

/** What serving needs of an App. */
export interface ServedApp {
  readonly settings: Settings;
  /** Closes the App for registration and returns its request handler. */
  seal(): Handle;
  /** The routes without parameters. */
  fixedRoutes(): readonly MatchedRoute[];
  /** Describes the App, to tools of development. */
  describe(): Promise<AppDescription>;
  /** Describes what the App offers to callers. */
  describeApi(): Promise<ApiDescription>;
}

export class Serving {
  readonly #app: ServedApp;

  constructor(app: ServedApp) {
    this.#app = app;
  }

  /**
   * Tells tools of development that this App answers from now on.
   *
   * @returns whether one of them only looks at the App, which must not start then
   */
  announce(): boolean {
    return announceApp({
      describe: () => this.#app.describe(),
      describeApi: () => this.#app.describeApi(),
    });
  }

  async listen(address: ListenAddress): Promise<RunningServer> {
    assertNodeServer('app.listen()');
    const { listen } = await import('../runtime/node/serve.js');
    return listen(await this.#whenStarted(), address, this.#app.settings);
  }

  async listenWithShutdown(
    address: ListenAddress,
    shutdown: PromiseLike<unknown> | AbortSignal,
  ): Promise<void> {
    checkValue('listenWithShutdown', 'the end', shutdown, SHUTDOWN);
    assertNodeServer('app.listenWithShutdown()');
    const { listenUntil } = await import('../runtime/node/serve.js');
    await listenUntil(await this.#whenStarted(), address, shutdown, this.#app.settings);
  }

  async serveWithShutdown(listener: NetServer, shutdown: PromiseLike<unknown> | AbortSignal): Promise<void> {
    checkValue('serveWithShutdown', 'the end', shutdown, SHUTDOWN);
    assertNodeServer('app.serveWithShutdown()');
    const event = acceptEvent(listener);
    // The server already accepts connections: those that arrive before the App has started must not be lost.
    const early: Socket[] = [];
    const hold = (socket: Socket) => early.push(socket);
    listener.on(event, hold);
    const { serveUntil } = await import('../runtime/node/serve.js');
    const handle = await this.#whenStarted();
    listener.off(event, hold);
    await serveUntil(handle, { listener, event, early }, shutdown, this.#app.settings);
  }

  async listenOn(runtime: Runtime, address: ListenAddress): Promise<RunningServer> {
    const { serveOn } = await import('../runtime/fetch-server.js');
    return serveOn(runtime, await this.#whenStarted(), address, this.#app.settings, this.#app.fixedRoutes());
  }

  answer(request: Request, side?: ServingSide, info?: unknown): Promise<Response> {
    try {
      // Asked first, because every request of fetch runtimes comes here.
      if (typeof (request as Partial<Request> | undefined | null)?.url !== 'string') {
        checkValue('app.fetch', 'the request', request, REQUEST);
      }
      return Promise.resolve(fetchThrough(this.handler(), request, side, info));
    } catch (error) {
      return Promise.reject(error);
    }
  }

  handler(): Handle {
    const handle = this.#app.seal();
    return this.#app.settings.isLoaded ? handle : this.#onceLoaded(handle);
  }

  /** The handler, for requests that may arrive before the code of a setting is loaded. */
  #onceLoaded(handle: Handle): Handle {
    return (source, deliver, matched) => {
      // Stryker disable next-line ConditionalExpression,BlockStatement: waiting for loaded code only takes another turn
      if (this.#app.settings.isLoaded) return handle(source, deliver, matched);
      return this.#app.settings.loaded().then(
        () => handle(source, deliver, matched),
        (error: unknown) => {
          reportError({ error, status: 500, method: source.method, path: readTarget(source.target).path });
          return deliver(respondToError(error), source);
        },
      );
    };
  }

  /** @throws ConfigError if a setting is wrong, and the error of a callback of the start. */
  async #whenStarted(): Promise<Handle> {
    const handle = this.#app.seal();
    await this.#app.settings.loaded();
    // A tool that only looks ends the process.
    if (this.announce()) await new Promise(() => {});
    await this.#app.settings.lifeCycle.start();
    return handle;
  }
}
