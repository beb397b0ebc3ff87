// Node: starts an HTTP server for an App, and ends it without losing a request.
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo, Server as NetServer, Socket } from 'node:net';
import { CONNECTION_TIMES } from '../connection-times.js';
import type { Handle } from '../dispatch.js';
import type { Settings } from '../settings.js';
import { isEventStream } from '../streaming/event-stream.js';
import { formatAddress, type ListenAddress, parseAddress } from './address.js';
import { Drain } from './drain.js';
import { FastResponse } from './fast-response.js';
import { IdleBodies } from './idle-bodies.js';
import { NodeRequestSource } from './incoming.js';
import { send } from './send.js';
import { startError } from './start-error.js';
import { endUnread } from './unread-body.js';

export type { ListenAddress } from './address.js';

type FastServer = Server<typeof IncomingMessage, typeof FastResponse>;

/** The part of an App's settings that a server needs. */
type ServerSettings = Pick<Settings, 'connection' | 'gracePeriodMs'>;

/** A server that listens. */
export interface RunningServer {
  readonly host: string;
  readonly port: number;
  /** For example `http://127.0.0.1:3000`. */
  readonly url: string;
  /** Stops accepting, lets requests in flight finish for up to `shutdownGracePeriod`, then resolves. */
  close(): Promise<void>;
}

/** How often the time for a head is checked; node:http's own 30 seconds would triple it. */
const HEAD_CHECK_MS = 1_000;

export async function listen(
  handle: Handle,
  address: ListenAddress,
  settings: ServerSettings,
): Promise<RunningServer> {
  const wanted = parseAddress(address);
  const { server, drain } = makeServer(handle, settings);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(startError(error, wanted)));
    server.listen({ host: wanted.host, port: wanted.port }, resolve);
  });
  const { port } = server.address() as AddressInfo;
  const bound = { host: wanted.host, port };
  return { ...bound, url: `http://${formatAddress(bound)}`, close: () => drain.run() };
}

export async function listenUntil(
  handle: Handle,
  address: ListenAddress,
  shutdown: PromiseLike<unknown> | AbortSignal,
  settings: ServerSettings,
): Promise<void> {
  const running = await listen(handle, address, settings);
  // Also where the promise rejects: whoever waits for the end must not find a server that goes on.
  await settled(shutdown).finally(() => running.close());
}

/** A server of somebody else's that accepts connections for an App. */
export interface Accepting {
  readonly listener: NetServer;
  /** The event that brings its connections. */
  readonly event: string;
  /** Connections that came before this module was loaded. */
  readonly early: readonly Socket[];
}

export async function serveUntil(
  handle: Handle,
  { listener, event, early }: Accepting,
  shutdown: PromiseLike<unknown> | AbortSignal,
  settings: ServerSettings,
): Promise<void> {
  const { server, drain } = makeServer(handle, settings);
  listener.on(event, (socket) => server.emit('connection', socket));
  for (const socket of early) server.emit('connection', socket);
  await settled(shutdown).finally(() => drain.run(listener));
}

function makeServer(handle: Handle, settings: ServerSettings): { server: FastServer; drain: Drain } {
  const { headMs, idleBodyMs, keepAliveMs } = { ...CONNECTION_TIMES, ...settings.connection };
  const idleBodies = new IdleBodies(idleBodyMs);
  const server = createServer({
    ServerResponse: FastResponse,
    joinDuplicateHeaders: true,
    // Checked in NodeRequestSource, so that the answer passes through the application's middleware.
    requireHostHeader: false,
    headersTimeout: headMs,
    connectionsCheckingInterval: Math.min(HEAD_CHECK_MS, headMs),
    keepAliveTimeout: keepAliveMs,
    // A long upload is no slow one: bodies have the idle time instead.
    requestTimeout: 0,
  });
  // RFC 9110, section 10.1.1 lets a server pass over expectations that it does not know; node:http would
  // answer them without the application's middleware.
  server.on('checkExpectation', (incoming, outgoing) => server.emit('request', incoming, outgoing));
  // RFC 9110, section 10.1.1: only a body that somebody reads is asked for; until then the connection ends
  // behind the answer.
  server.on('checkContinue', (incoming, outgoing) => {
    outgoing.shouldKeepAlive = false;
    server.emit('request', incoming, outgoing);
  });
  const drain = new Drain(server, settings.gracePeriodMs);
  const keepAliveSeconds = Math.floor(keepAliveMs / 1000);
  server.on('request', (incoming, outgoing) => {
    const source = new NodeRequestSource(incoming, outgoing, idleBodies);
    handle(source, (response) => {
      if (drain.isRunning) outgoing.shouldKeepAlive = false;
      endUnread(incoming, outgoing, source, idleBodies);
      if (!response.isStream && outgoing.sendPrepared(response, keepAliveSeconds)) return;
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
