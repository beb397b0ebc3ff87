// Bun: its server, by the few members that are used; the types of Bun are not needed to compile an app.
import type { MatchedRoute } from '../../dispatch/unmatched.js';
import type { PeerAddress } from '../../http/request-source.js';
import type { ServedEvents, ServedSocket, ServedUpgrade } from '../../http/upgrade.js';
import { CONNECTION_TIMEOUTS } from '../connection-timeouts.js';
import type { Answer, Runtime } from '../fetch-server.js';
import type { SocketLimits } from '../node/listen.js';

/** A connection of Bun. */
interface BunSocket {
  readonly data: Attached;
  send(message: string | Uint8Array, compress?: boolean): number;
  ping(): number;
  close(code: number, reason: string): void;
  terminate(): void;
  getBufferedAmount(): number;
}

/** What a connection carries from its handshake. */
interface Attached {
  readonly events: ServedEvents;
  /** Set while the response is written. */
  socket: BunSocket | undefined;
}

/** The option `websocket` of `Bun.serve`. */
interface SocketsOfBun {
  readonly maxPayloadLength: number;
  readonly perMessageDeflate: boolean;
  readonly backpressureLimit: number;
  readonly idleTimeout: number;
  readonly sendPings: boolean;
  open(socket: BunSocket): void;
  message(socket: BunSocket, message: string | Uint8Array): void;
  drain(socket: BunSocket): void;
  ping(socket: BunSocket, payload: Uint8Array): void;
  pong(socket: BunSocket, payload: Uint8Array): void;
  close(socket: BunSocket, code: number, reason: string): void;
}

interface Upgrading {
  upgrade(request: Request, options: { readonly data: object; readonly headers: Headers }): boolean;
}

/** More than this, Bun would drop without a word; the limits of each connection are lower. */
const NO_LIMIT = 2 ** 31 - 1;

function socketsOf(limits: SocketLimits | undefined): SocketsOfBun {
  return {
    maxPayloadLength: limits?.maxMessageSize ?? 0,
    perMessageDeflate: limits?.isCompressed ?? false,
    backpressureLimit: NO_LIMIT,
    // Connections are pinged, and cut, by their own heartbeat.
    idleTimeout: 0,
    sendPings: false,
    open(socket) {
      socket.data.socket = socket;
    },
    message: ({ data }, message) => data.events.message(message),
    drain: ({ data }) => data.events.drained(),
    ping: ({ data }, payload) => data.events.control(payload.length),
    pong: ({ data }, payload) => data.events.control(payload.length),
    close: ({ data }, code, reason) => data.events.closed(code, reason),
  };
}

function upgradeBy(server: Upgrading, request: Request): ServedUpgrade {
  return {
    serve(events, protocol, fields) {
      // Without the field, Bun would select the first that the client offers.
      const headers = new Headers([...fields.map(([name, value]): [string, string] => [name, value])]);
      headers.set('Sec-WebSocket-Protocol', protocol);
      const data: Attached = { events, socket: undefined };
      // Calls `open` before it returns.
      const isUpgraded = server.upgrade(request, { data, headers });
      return isUpgraded && data.socket !== undefined ? served(data.socket) : undefined;
    },
  };
}

function served(socket: BunSocket): ServedSocket {
  return {
    get bufferedBytes() {
      return socket.getBufferedAmount();
    },
    send: (message, compress) => void socket.send(message, compress),
    ping: () => void socket.ping(),
    close: (code, reason) => socket.close(code, reason),
    terminate: () => socket.terminate(),
  };
}

interface BunServer {
  readonly port: number;
  requestIP(request: Request): { readonly address: string; readonly port: number } | null;
  timeout(request: Request, seconds: number): void;
  upgrade(request: Request, options: { readonly data: object; readonly headers: Headers }): boolean;
  stop(closeActiveConnections?: boolean): Promise<void>;
}

/** Undefined if the connection was upgraded. */
type RequestHandler = (
  request: Request,
  server: BunServer,
) => Response | undefined | Promise<Response | undefined>;

/** Handlers by path and method. */
type RoutesOfBun = Readonly<Record<string, Readonly<Record<string, RequestHandler>>>>;

interface BunGlobal {
  serve(options: {
    readonly hostname?: string;
    readonly port?: number;
    readonly unix?: string;
    readonly fetch: RequestHandler;
    readonly routes: RoutesOfBun;
    readonly idleTimeout: number;
    readonly maxRequestBodySize: number;
    readonly websocket?: SocketsOfBun;
  }): BunServer;
}

const { Bun } = globalThis as { Bun?: BunGlobal };

/** The longest that Bun accepts, in seconds. */
const LONGEST_IDLE_SECONDS = 255;

export const bun: Runtime = {
  name: 'Bun',
  isHere: Bun !== undefined,
  checksHost: true,
  start(answer, wanted, settings, fixedRoutes) {
    const { keepAliveMs } = { ...CONNECTION_TIMEOUTS, ...settings.connection };
    const { hasWebSockets, socketLimits } = settings;
    const server = (Bun as BunGlobal).serve({
      ...('path' in wanted ? { unix: wanted.path } : { hostname: wanted.host, port: wanted.port }),
      fetch: (request, info) => answer(request, info),
      routes: matchedByBun(answer, fixedRoutes),
      idleTimeout: Math.min(Math.ceil(keepAliveMs / 1000), LONGEST_IDLE_SECONDS),
      // The App has its own limit, whose answer passes through its middleware.
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
      ...(hasWebSockets && { websocket: socketsOf(socketLimits) }),
    });
    return { port: server.port, stop: () => server.stop(), cut: () => server.stop(true) };
  },
  // Bun passes its server to the handler, beside the Request.
  readPeer: (request, info) => peerOf((info as BunServer).requestIP(request)),
  upgradeOf: (request, info) => upgradeBy(info as BunServer, request),
  /** A stream may be idle for longer than a connection. */
  streams: (request, info) => (info as BunServer).timeout(request, 0),
};

/**
 * Bun compares the path of the target with these byte by byte, and reads no URL for it; all other targets go to
 * `fetch`. It searches them one after the other, so that many of them would delay the others.
 */
function matchedByBun(answer: Answer, fixedRoutes: readonly MatchedRoute[]): RoutesOfBun {
  const routes: Record<string, Record<string, RequestHandler>> = {};
  for (const route of fixedRoutes) {
    const { path, method } = route;
    if (!PLAIN_PATH.test(path)) continue;
    const known = routes[path];
    if (known === undefined && Object.keys(routes).length === MOST_PATHS) continue;
    routes[path] = { ...known, [method]: (request, info) => answer(request, info, route) };
  }
  return routes;
}

/** Nothing that a pattern of Bun, a URL or a target could mean differently. */
const PLAIN_PATH = /^\/(?:[\w~-][\w.~-]*\/)*(?:[\w~-][\w.~-]*)?$/;
const MOST_PATHS = 64;

function peerOf(found: { address: string; port: number } | null): PeerAddress | undefined {
  return found === null ? undefined : { address: found.address, port: found.port };
}
