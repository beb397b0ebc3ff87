// Node: starts an HTTP server for an App, and shuts it down gracefully.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Handle } from '../../dispatch/dispatch.js';
import type { UpgradedConnection } from '../../http/upgrade.js';
import { isEventStream } from '../../streaming/event-stream.js';
import { boundTo, type HostPort, type ListenAddress, parseAddress, type SocketPath } from '../address.js';
import { CONNECTION_TIMEOUTS, type ConnectionTimeouts } from '../connection-timeouts.js';
import { announced } from '../server-events.js';
import { noteListening, startError } from '../start-error.js';
import { BodyMessage } from './body-message.js';
import { FastResponse } from './fast-response.js';
import { IdleBodies } from './idle-bodies.js';
import { NodeRequestSource } from './incoming.js';
import { type EndStream, send } from './send.js';
import { endUnread } from './unread-body.js';
import { answerUpgrade, UpgradableMessage } from './upgrade.js';

export type { ListenAddress } from '../address.js';

type FastServer = Server<typeof IncomingMessage, typeof FastResponse>;

/** The most that any WebSocket of an App takes. */
export interface SocketLimits {
  /** In bytes. */
  readonly maxMessageSize: number;
  readonly isCompressed: boolean;
}

/** The settings of an App that a server uses. */
export interface ServerSettings {
  readonly connection: Partial<ConnectionTimeouts>;
  readonly gracePeriodMs: number;
  /** How long a server accepts connections after its drain has begun, in milliseconds. */
  readonly drainDelayMs: number;
  /** Whether the App has WebSockets; without them, requests for the protocol are ordinary requests. */
  readonly hasWebSockets: boolean;
  /** What they take, for servers that speak the protocol themselves. */
  readonly socketLimits?: SocketLimits | undefined;
  readonly lifeCycle: {
    /** Called when a server accepts connections. */
    serverStarted(url: string): void;
    /** Called when the drain begins; resolves when it may stop to accept connections, undefined if that is at once. */
    drainBegins(delayMs: number): Promise<void> | undefined;
    /** Called after the drain, which is over when its promise resolves. */
    serverClosed(): Promise<void>;
  };
}

/** A listening server, as `app.listen()` returns it. */
export interface RunningServer {
  /** The address that the server listens on; empty for a Unix socket. */
  readonly host: string;
  /** The port that the server listens on, also if port 0 was given; 0 for a Unix socket. */
  readonly port: number;
  /** The path of a Unix socket. */
  readonly path?: string;
  /** The base URL, such as `http://127.0.0.1:3000`; `unix:/run/app.sock` for a Unix socket. */
  readonly url: string;
  /** Shuts down gracefully: waits up to `shutdownGracePeriod` for requests in flight, then resolves. */
  close(): Promise<void>;
}

/** How often `headersMs` is checked, in milliseconds; node:http's default of 30 seconds would be far too late. */
const HEAD_CHECK_MS = 1_000;

export async function listen(
  handle: Handle,
  address: ListenAddress,
  settings: ServerSettings,
): Promise<RunningServer> {
  const wanted = parseAddress(address);
  const { server, drain } = makeServer(handle, settings);
  await bind(server, wanted).catch(async (error: NodeJS.ErrnoException) => {
    if (!(await isFreed(wanted, error))) throw startError(error, wanted);
    await bind(server, wanted).catch((again) => {
      throw startError(again, wanted);
    });
  });
  const { port } = server.address() as AddressInfo;
  const bound = boundTo(wanted, port);
  if (bound.port !== 0) server.once('close', noteListening(bound.port));
  settings.lifeCycle.serverStarted(bound.url);
  return { ...bound, close: announced(bound.url, () => drain.run()) };
}

/** Whether the path that is in use was only left behind. */
async function isFreed(wanted: HostPort | SocketPath, { code }: NodeJS.ErrnoException): Promise<boolean> {
  if (!('path' in wanted) || code !== 'EADDRINUSE') return false;
  const { removeStaleSocket } = await import('./stale-socket.js');
  return removeStaleSocket(wanted.path);
}

function bind(server: NetServer, wanted: HostPort | SocketPath): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen('path' in wanted ? { path: wanted.path } : { host: wanted.host, port: wanted.port }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

export async function listenUntil(
  handle: Handle,
  address: ListenAddress,
  shutdown: PromiseLike<unknown> | AbortSignal,
  settings: ServerSettings,
): Promise<void> {
  const running = await listen(handle, address, settings);
  // Also if the promise rejects: the server must not continue after that.
  await settled(shutdown).finally(() => running.close());
}

/** A server of the application that accepts connections for an App. */
export interface Accepting {
  readonly listener: NetServer;
  /** The event of its connections. */
  readonly event: string;
  /** Connections that arrived before this module was loaded. */
  readonly early: readonly Socket[];
}

export async function serveUntil(
  handle: Handle,
  { listener, event, early }: Accepting,
  shutdown: PromiseLike<unknown> | AbortSignal,
  settings: ServerSettings,
): Promise<void> {
  const { server, drain } = makeServer(handle, settings);
  const url = urlOf(listener);
  settings.lifeCycle.serverStarted(url);
  listener.on(event, (socket) => server.emit('connection', socket));
  for (const socket of early) server.emit('connection', socket);
  const close = announced(url, () => drain.run(listener));
  await settled(shutdown).finally(close);
}

/** Of the application's own server, which may be one of TLS. */
function urlOf(listener: NetServer): string {
  const address = listener.address();
  if (address === null) return 'a server';
  if (typeof address === 'string') return boundTo({ path: address }, 0).url;
  const { url } = boundTo({ host: address.address, port: address.port }, address.port);
  return 'setSecureContext' in listener ? url.replace(/^http:/, 'https:') : url;
}

function makeServer(handle: Handle, settings: ServerSettings): { server: FastServer; drain: Drain } {
  const { headersMs, idleBodyMs, keepAliveMs } = { ...CONNECTION_TIMEOUTS, ...settings.connection };
  const idleBodies = new IdleBodies(idleBodyMs);
  const Message: typeof IncomingMessage = settings.hasWebSockets ? UpgradableMessage : BodyMessage;
  const server = createServer({
    ServerResponse: FastResponse,
    IncomingMessage: Message,
    joinDuplicateHeaders: true,
    // Checked by NodeRequestSource, so that the response passes through the application's middleware.
    requireHostHeader: false,
    headersTimeout: headersMs,
    connectionsCheckingInterval: Math.min(HEAD_CHECK_MS, headersMs),
    keepAliveTimeout: keepAliveMs,
    // A long upload is not necessarily slow: bodies have an idle timeout instead.
    requestTimeout: 0,
  });
  // RFC 9110, section 10.1.1 allows ignoring unknown expectations; node:http would answer them without the
  // application's middleware.
  server.on('checkExpectation', (incoming, outgoing) => server.emit('request', incoming, outgoing));
  // RFC 9110, section 10.1.1: 100 (Continue) is sent when the body is read. If it is not read, the connection is
  // closed after the response.
  server.on('checkContinue', (incoming, outgoing) => {
    outgoing.shouldKeepAlive = false;
    server.emit('request', incoming, outgoing);
  });
  const drain = new Drain(server, settings.gracePeriodMs, {
    begins: () => settings.lifeCycle.drainBegins(settings.drainDelayMs),
    ended: () => settings.lifeCycle.serverClosed(),
  });
  if (settings.hasWebSockets) {
    server.on('upgrade', (incoming, socket, head) => {
      answerUpgrade(
        handle,
        incoming,
        socket,
        head,
        (connection) => drain.goesAway(socket, connection),
        idleBodies,
      );
    });
  }
  const keepAliveSeconds = Math.floor(keepAliveMs / 1000);
  server.on('request', (incoming, outgoing) => {
    const source = new NodeRequestSource(incoming, outgoing, idleBodies);
    if (incoming.headers.upgrade !== undefined) closeBehindUpgrade(incoming, outgoing);
    handle(source, (response) => {
      if (drain.isRunning) outgoing.shouldKeepAlive = false;
      endUnread(incoming, outgoing, source, idleBodies);
      // Stryker disable next-line ConditionalExpression: node:http sends the same response, only slower
      if (response.stream === undefined && outgoing.sendPrepared(response, keepAliveSeconds)) return;
      const endStream = send(response, outgoing, source);
      if (endStream === undefined || !isEventStream(response)) return;
      drain.endsAtOnce(outgoing, () => {
        endStream();
        source.abort(new Error('the server is shutting down'));
      });
    });
  });
  return { server, drain };
}

async function settled(shutdown: PromiseLike<unknown> | AbortSignal): Promise<void> {
  if (!(shutdown instanceof AbortSignal)) await shutdown;
  else if (!shutdown.aborted) {
    await new Promise((resolve) => shutdown.addEventListener('abort', resolve, { once: true }));
  }
}

/** The member of a socket that gives the bytes which node:http is reading. */
interface Parsed {
  readonly parser?: { getCurrentBuffer?(): Buffer | undefined } | null;
}

const HEAD_END = Buffer.from('\r\n\r\n');

/**
 * To be called with a request that has the field Upgrade. The parser of node:http stops behind such a request and
 * drops the rest of what has arrived with it, such as a pipelined request: with `Connection: close`, its client
 * knows that there is no answer to come. Alone in its packet, it leaves the connection open.
 */
function closeBehindUpgrade(incoming: IncomingMessage, outgoing: ServerResponse): void {
  if (!isAlone(incoming)) outgoing.shouldKeepAlive = false;
}

/** Whether the bytes that arrived end with this request; false if that is not certain. */
function isAlone({ socket, headers }: IncomingMessage): boolean {
  const bytes = (socket as Parsed).parser?.getCurrentBuffer?.();
  if (bytes === undefined || headers['transfer-encoding'] !== undefined) return false;
  const end = bytes.indexOf(HEAD_END);
  const rest = bytes.length - end - HEAD_END.length;
  // What follows may not have arrived yet; the parser goes on with it.
  return end >= 0 && rest <= Number(headers['content-length'] ?? 0);
}

/** What happens around a drain. */
interface DrainSteps {
  /** Called first; new connections are accepted until its promise resolves. */
  readonly begins?: () => Promise<void> | undefined;
  readonly ended?: () => Promise<void>;
}

/** The members of an http.Server that a drain uses. */
type DrainableServer = NetServer & { closeIdleConnections(): void };

/**
 * How long an idle connection is kept during a drain, in milliseconds: a client that has just sent a request on a
 * kept-alive connection still gets its answer, with `Connection: close`.
 */
const IDLE_LINGER_MS = 1_000;

export class Drain {
  readonly #server: DrainableServer;
  readonly #graceMs: number;
  readonly #steps: DrainSteps;
  #isRunning = false;
  readonly #sockets = new OpenSockets();
  readonly #eventStreams = new Set<EndStream>();
  readonly #upgraded = new Set<UpgradedConnection>();
  #done: Promise<void> | undefined;

  constructor(server: DrainableServer, graceMs: number, steps: DrainSteps = {}) {
    this.#server = server;
    this.#graceMs = graceMs;
    this.#steps = steps;
    server.on('connection', (socket: Socket) => this.#sockets.add(socket));
  }

  /** True once the drain has started; responses then have `Connection: close`. */
  get isRunning(): boolean {
    return this.#isRunning;
  }

  /** Ends an event stream when a drain starts: it may never end by itself, and its client reconnects. */
  endsAtOnce(outgoing: ServerResponse, end: EndStream): void {
    if (this.isRunning) {
      end();
      return;
    }
    this.#eventStreams.add(end);
    outgoing.once('close', () => this.#eventStreams.delete(end));
  }

  /** Tells a connection that was upgraded when a drain starts; it closes itself then. */
  goesAway(socket: Duplex, connection: UpgradedConnection): void {
    if (this.isRunning) {
      connection.goAway();
      return;
    }
    this.#upgraded.add(connection);
    socket.once('close', () => this.#upgraded.delete(connection));
  }

  /** Drains once; later calls return the same promise. `listener` is the accepting server if it is another one. */
  run(listener: NetServer = this.#server): Promise<void> {
    this.#done ??= this.#run(listener);
    return this.#done;
  }

  async #run(listener: NetServer): Promise<void> {
    const delay = this.#steps.begins?.();
    if (delay !== undefined) await delay;
    this.#isRunning = true;
    // http.Server's own close() would close idle connections at once, and lose requests that are being sent.
    NetServer.prototype.close.call(listener);
    for (const end of this.#eventStreams) end();
    for (const connection of this.#upgraded) connection.goAway();
    const linger = setInterval(() => this.#closeIdle(), IDLE_LINGER_MS);
    const grace = setTimeout(() => this.#destroyAll(), this.#graceMs);
    await this.#allClosed();
    await closedHandles();
    clearInterval(linger);
    clearTimeout(grace);
    // Stops node:http's own timer; it reports an error, because the server is already closed.
    this.#server.close(() => {});
    await this.#steps.ended?.();
  }

  #closeIdle(): void {
    let isSending = false;
    for (const socket of this.#sockets.open()) {
      if (socket.bytesRead === 0) socket.destroy();
      else if (socket.writableLength > 0) isSending = true;
    }
    // For node:http, a connection is idle once its response was handed over; closing it would cut the rest off.
    if (!isSending) this.#server.closeIdleConnections();
  }

  #destroyAll(): void {
    for (const socket of this.#sockets.open()) socket.destroy();
  }

  #allClosed(): Promise<void> {
    return new Promise((resolve) => {
      let open = 0;
      const watch = (socket: Socket) => {
        open += 1;
        socket.once('close', () => {
          open -= 1;
          if (open === 0) resolve();
        });
      };
      for (const socket of this.#sockets.open()) watch(socket);
      this.#server.on('connection', watch);
      if (open === 0) resolve();
    });
  }
}

/**
 * A socket that was destroyed just before a drain is open no more, but emits `close`, which ends the work for its
 * client, with the other handles that the event loop closes: after this turn's immediates, and before the next ones.
 */
async function closedHandles(): Promise<void> {
  for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** Fewer than these are never looked through when a connection is added. */
const FEW = 64;

/**
 * Refers to sockets weakly, and forgets those that were closed when as many were added since the last time as were
 * open then. A listener for the end of each, with a Set to delete from, takes 500 bytes more of every idle
 * connection: node:http listens to `close` too, twice during a request, and three listeners leave the socket with an
 * array of 19 places. An open socket is held by its handle, so it is never missed.
 */
export class OpenSockets {
  #sockets: WeakRef<Socket>[] = [];
  #mostUnchecked = FEW;

  add(socket: Socket): void {
    if (this.#sockets.length >= this.#mostUnchecked) {
      this.#sockets = this.#sockets.filter((one) => isOpen(one.deref()));
      this.#mostUnchecked = Math.max(FEW, this.#sockets.length * 2);
    }
    this.#sockets.push(new WeakRef(socket));
  }

  /** How many are referred to, closed ones among them. */
  get size(): number {
    return this.#sockets.length;
  }

  /** Those that were not destroyed; of the others, the event `close` may still be to come. */
  open(): Socket[] {
    return this.#sockets.map((one) => one.deref()).filter(isOpen);
  }
}

function isOpen(socket: Socket | undefined): socket is Socket {
  return socket !== undefined && !socket.closed;
}
