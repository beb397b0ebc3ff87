// Fetch: a server of a fetch runtime with a graceful shutdown, as `fw/bun` and `fw/deno` start it.

import { ConfigError } from '../config-error.js';
import type { Handle } from '../dispatch/dispatch.js';
import type { MatchedRoute } from '../dispatch/unmatched.js';
import type { PeerAddress } from '../http/request-source.js';
import type { ServedUpgrade } from '../http/upgrade.js';
import { boundTo, type HostPort, type ListenAddress, parseAddress, type SocketPath } from './address.js';
import { fetchThrough } from './fetch.js';
import type { RunningServer, ServerSettings } from './node/listen.js';
import { notHere, OpenStreams, type ServingSide } from './serving-side.js';
import { startError } from './start-error.js';
import { requestsWebSocket, upgradeThrough } from './web-upgrade.js';

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
  upgradeOf?(request: Request, info: unknown): ServedUpgrade;
}

/** @throws ConfigError if the App has what the runtime cannot serve, or the address is malformed. */
export async function serveOn(
  runtime: Runtime,
  handle: Handle,
  address: ListenAddress,
  settings: ServerSettings,
  fixedRoutes: readonly MatchedRoute[],
): Promise<RunningServer> {
  const { name } = runtime;
  if (!runtime.isHere) throw notHere(name);
  if (settings.hasWebSockets && runtime.upgradeOf === undefined) {
    throw new ConfigError(
      'FW_RUNTIME_WEBSOCKETS',
      `WebSockets do not work on ${name}; serve this App by app.listen() on Node.js, or by fw/bun`,
    );
  }
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
  const { upgradeOf } = runtime;
  const answer: Answer = (request, info, matched) => {
    if (settings.hasWebSockets && upgradeOf !== undefined && requestsWebSocket(request))
      return upgradeThrough(handle, request, side, info, upgradeOf(request, info));
    return fetchThrough(handle, request, side, info, matched);
  };
  const server = start(wanted, () => runtime.start(answer, wanted, settings, fixedRoutes));
  settings.closing.serverStarted();
  let closed: Promise<void> | undefined;
  async function drain(): Promise<void> {
    const stopped = server.stop();
    eventStreams.drain();
    const grace = setTimeout(() => {
      otherStreams.drain();
      server.cut();
    }, settings.gracePeriodMs);
    await stopped;
    clearTimeout(grace);
    await settings.closing.serverClosed();
  }
  return {
    ...boundTo(wanted, server.port),
    close() {
      closed ??= drain();
      return closed;
    },
  };
}

function start(wanted: HostPort | SocketPath, startServer: () => RuntimeServer): RuntimeServer {
  try {
    return startServer();
  } catch (error) {
    throw startError(error as NodeJS.ErrnoException, wanted);
  }
}
