// Fetch: a server of a fetch runtime with a graceful shutdown, as `fw/bun` and `fw/deno` start it.

import type { Handle } from '../dispatch/dispatch.js';
import type { MatchedRoute } from '../dispatch/unmatched.js';
import { listsToken } from '../http/field-list.js';
import type { PeerAddress } from '../http/request-source.js';
import { clientLeft, shared } from '../http/shared-signal.js';
import { bearerOf, type ServedEvents, type ServedUpgrade } from '../http/upgrade.js';
import { boundTo, type HostPort, type ListenAddress, parseAddress, type SocketPath } from './address.js';
import { fetchThrough } from './fetch.js';
import type { RunningServer, ServerSettings } from './node/listen.js';
import { fieldPairs } from './sent-fields.js';
import { announced } from './server-events.js';
import { notHere, OpenStreams, type ServingSide } from './serving-side.js';
import { noteListening, startError } from './start-error.js';
import { WebRequestSource } from './web-request-source.js';
import { toWebResponse } from './web-response.js';

/** The server of a runtime, as far as it is used here. */
interface RuntimeServer {
  readonly port: number;
  /** Stops accepting connections, and resolves when the requests in flight are answered. */
  stop(): Promise<unknown>;
  /** Makes `stop()` resolve at once, and cuts off what is still in flight if the runtime can. */
  cut(): unknown;
}

/** @param matched the route, if the server has matched it */
export type Answer = (
  request: Request,
  info: unknown,
  matched?: MatchedRoute,
) => Response | undefined | Promise<Response | undefined>;

/** How a runtime starts a server. */
export interface Runtime {
  readonly name: 'Bun' | 'Deno';
  /** Whether this process is run by it. */
  readonly isHere: boolean;
  /** Whether it passes on requests with a malformed Host field. */
  readonly checksHost: boolean;
  /**
   * Throws what the runtime throws, such as for a port that is in use.
   *
   * @param fixedRoutes which the server may match itself
   */
  start(
    answer: Answer,
    wanted: HostPort | SocketPath,
    settings: ServerSettings,
    fixedRoutes: readonly MatchedRoute[],
  ): RuntimeServer;
  readPeer(request: Request, info: unknown): PeerAddress | undefined;
  streams?(request: Request, info: unknown): void;
  /** How a request for a WebSocket is upgraded. */
  upgradeOf(request: Request, info: unknown): ServedUpgrade;
}

/** @throws ConfigError if the process runs on something else, or the address is malformed. */
export async function serveOn(
  runtime: Runtime,
  handle: Handle,
  address: ListenAddress,
  settings: ServerSettings,
  fixedRoutes: readonly MatchedRoute[],
): Promise<RunningServer> {
  const { name } = runtime;
  if (!runtime.isHere) throw notHere(name);
  const wanted = parseAddress(address);
  const eventStreams = new OpenStreams();
  const otherStreams = new OpenStreams();
  const side: ServingSide = {
    readPeer: runtime.readPeer,
    checksHost: runtime.checksHost,
    eventStreams,
    otherStreams,
    ...(runtime.streams && { streams: runtime.streams }),
  };
  const answer: Answer = (request, info, matched) => {
    if (settings.hasWebSockets && requestsWebSocket(request))
      return upgradeThrough(handle, request, side, info, runtime.upgradeOf(request, info));
    return fetchThrough(handle, request, side, info, matched);
  };
  const server = start(wanted, () => runtime.start(answer, wanted, settings, fixedRoutes));
  const bound = boundTo(wanted, server.port);
  const forget = noteListening(bound.port);
  settings.lifeCycle.serverStarted(bound.url);
  async function drain(): Promise<void> {
    const delay = settings.lifeCycle.drainBegins(settings.drainDelayMs);
    if (delay !== undefined) await delay;
    const stopped = server.stop();
    eventStreams.drain();
    const grace = setTimeout(() => {
      otherStreams.drain();
      server.cut();
    }, settings.gracePeriodMs);
    await stopped;
    forget();
    clearTimeout(grace);
    await settings.lifeCycle.serverClosed();
  }
  return { ...bound, close: announced(bound.url, drain) };
}

function start(wanted: HostPort | SocketPath, startServer: () => RuntimeServer): RuntimeServer {
  try {
    return startServer();
  } catch (error) {
    throw startError(error as NodeJS.ErrnoException, wanted);
  }
}

/** RFC 6455, section 4.2.1; the server checks the version of HTTP. */
function requestsWebSocket({ method, headers }: Request): boolean {
  const lists = (name: string, token: string): boolean => listsToken(headers.get(name) ?? undefined, token);
  return method === 'GET' && lists('upgrade', 'websocket') && lists('connection', 'upgrade');
}

/** By the handshake, or as an ordinary request. Undefined once the connection is upgraded, if the server wants nothing. */
export function upgradeThrough(
  handle: Handle,
  request: Request,
  side: ServingSide,
  info: unknown,
  upgrade: ServedUpgrade,
): Response | undefined | Promise<Response | undefined> {
  const source = new WebUpgradeSource(request, side, info);
  return handle(source, (response): Response | undefined => {
    if (response.switchProtocol === undefined) return toWebResponse(response, source);
    const connection = response.switchProtocol(source.watched(upgrade), fieldPairs(response));
    // The client has left: nobody reads the answer.
    if (connection === undefined) return new Response(null, { status: 400 });
    source.whenClosed(side.eventStreams.add(() => connection.goAway()));
    return upgrade.response;
  });
}

/** A request for a WebSocket, which may carry a token in its sub-protocols. */
class WebUpgradeSource extends WebRequestSource {
  readonly isUpgrade = true;
  readonly #authorization: string | undefined;
  readonly #controller = new AbortController();
  readonly #request: Request;
  readonly #leave = (): void => this.#controller.abort(clientLeft());
  #forget: (() => void) | undefined;

  constructor(request: Request, side: ServingSide, info: unknown) {
    super(request, side, info, 'GET');
    shared(this.#controller.signal);
    this.#request = request;
    request.signal.addEventListener('abort', this.#leave, { once: true });
    this.#authorization = bearerOf(this.header('sec-websocket-protocol'));
  }

  /** Aborts when the connection closes. */
  override get signal(): AbortSignal {
    return this.#controller.signal;
  }

  override abort(reason: Error): void {
    this.#controller.abort(reason);
  }

  override header(lowerName: string): string | undefined {
    const value = super.header(lowerName);
    return value === undefined && lowerName === 'authorization' ? this.#authorization : value;
  }

  override headers(): Record<string, string> {
    const headers = super.headers();
    const { authorization = this.#authorization } = headers;
    if (authorization !== undefined) headers.authorization = authorization;
    return headers;
  }

  /** Calls the function when the connection has closed. */
  whenClosed(forget: () => void): void {
    if (this.#controller.signal.aborted) forget();
    else this.#forget = forget;
  }

  /** The same upgrade, of which this learns that its connection has closed. */
  watched(upgrade: ServedUpgrade): ServedUpgrade {
    const closed = (): void => {
      this.#forget?.();
      this.#leave();
    };
    return {
      serve: (events, protocol, fields) => {
        // Deno aborts it when the connection is upgraded.
        this.#request.signal.removeEventListener('abort', this.#leave);
        return upgrade.serve(watchedEvents(events, closed), protocol, fields);
      },
    };
  }
}

function watchedEvents(events: ServedEvents, closed: () => void): ServedEvents {
  return {
    message: (message) => events.message(message),
    control: (bytes) => events.control(bytes),
    drained: () => events.drained(),
    closed(code, reason) {
      closed();
      events.closed(code, reason);
    },
  };
}
