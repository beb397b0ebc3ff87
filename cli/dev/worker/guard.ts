// Guards every HTTP server of the app: refuses unknown Host names, and closes the connection after each response.
import type { IncomingMessage, OutgoingHttpHeader, ServerResponse } from 'node:http';
import net from 'node:net';
import type { Duplex } from 'node:stream';
import type { BoundAddress, WorkbenchOrder } from '../../process/messages.js';
import type { ConnectionDrain } from './connection-drain.js';
import { isNavigation } from './error-answers.js';
import { createHostRule, hostsOf, refusal } from './host-rule.js';
import type { Recorder } from './recording/recorder.js';
import type { TrafficMeter } from './recording/traffic-meter.js';
import { orderOf } from './sent-order.js';
import { asPlainRequest, hearsUpgrades, isViteSocket } from './vite-socket.js';
import { isWorkbench, passOn } from './workbench-proxy.js';

/** One request that the app is handling. */
export interface Http1Exchange {
  response: ServerResponse;
  /** Set for the page about the app: the supervisor answers it, and the app has nothing to finish. */
  isAside?: boolean;
  /** Whether the head of an event stream was sent: it may be open for hours. */
  isEventStream(): boolean;
  /** Ends the response if it is an event stream, and makes the client reconnect at once. */
  endEventStream(): void;
}

/** The page about the app. */
interface GuardedWorkbench {
  readonly order: WorkbenchOrder;
  readonly recorder: Recorder;
}

/** What is in front of the servers beside the check of Host names. */
export interface Guarded {
  readonly workbench?: GuardedWorkbench | undefined;
  /** Takes over the WebSockets of the frontend's client. */
  readonly takeViteSocket?: ((request: IncomingMessage, socket: net.Socket) => void) | undefined;
}

/** Patches `net.Server.prototype.emit`, which every HTTP server of Node and of frameworks calls. */
export function guardServers(
  connections: ConnectionDrain,
  address: BoundAddress,
  allowedHosts: string[],
  { workbench, takeViteSocket }: Guarded = {},
): void {
  const isAllowed = createHostRule(address, allowedHosts);
  const emit = net.Server.prototype.emit;

  net.Server.prototype.emit = function emitGuarded(
    this: net.Server,
    event: string,
    ...args: unknown[]
  ): boolean {
    if (event === 'request' || event === 'checkContinue' || event === 'checkExpectation') {
      const [request, response] = args as [IncomingMessage, ServerResponse];
      const foreign = isPrivate(this) ? undefined : hostsOf(request).find((host) => !isAllowed(host));
      const isAside = workbench !== undefined && isWorkbench(request.url) && isOwnPort(request, address);
      const meter =
        isAside || foreign !== undefined || isPrivate(this) ? undefined : workbench?.recorder.meter;
      if (request.httpVersionMajor === 1) {
        const exchange = closeAfterwards(request, response, meter);
        connections.began(isAside ? { ...exchange, isAside } : exchange);
      } else if (meter !== undefined) measure(request, response, meter);
      if (foreign !== undefined) return refuseRequest(response, foreign);
      if (isAside) {
        if (event === 'checkContinue') response.writeContinue();
        passOn(request, response, workbench.order.pipe);
        return true;
      }
      if (workbench !== undefined && isRecorded(workbench.recorder, request) && !isPrivate(this)) {
        const order = orderOf(request, workbench.order.token);
        return workbench.recorder.request(request, response, order, () => pass(this, event, args));
      }
    } else if (event === 'upgrade' || event === 'connect') {
      const [request, socket] = args as [IncomingMessage, Duplex];
      const foreign = isPrivate(this) ? undefined : hostsOf(request).find((host) => !isAllowed(host));
      if (foreign !== undefined) return refuseUpgrade(socket, foreign);
      if (takeViteSocket && isViteSocket(request) && isOwnPort(request, address)) {
        takeViteSocket(request, socket as net.Socket);
        return true;
      }
      if (takeViteSocket && event === 'upgrade' && !hearsUpgrades(this))
        return asPlainRequest(this, request, socket as net.Socket);
      if (/^websocket$/i.test(request.headers.upgrade ?? '')) {
        connections.upgraded(socket as net.Socket);
        if (workbench?.recorder.isOn === true && !isPrivate(this))
          return workbench.recorder.upgrade(request, socket, () => pass(this, event, args));
      }
    }
    return pass(this, event, args);
  } as typeof emit;

  function pass(server: net.Server, event: string, args: unknown[]): boolean {
    return (emit as (event: string, ...args: unknown[]) => boolean).call(server, event, ...args);
  }
}

/** Pages that a browser opens are recorded in any case, for the page about an error. */
function isRecorded(recorder: Recorder, request: IncomingMessage): boolean {
  return recorder.isOn || isNavigation(request);
}

/** False for other ports that the app opens by itself. */
function isOwnPort({ socket }: IncomingMessage, { port }: BoundAddress): boolean {
  return socket.localPort === port;
}

/** A server on a pipe has no host name to check. */
function isPrivate(server: net.Server): boolean {
  return typeof server.address() === 'string';
}

function refuseRequest(response: ServerResponse, host: string): boolean {
  response.writeHead(403, {
    'content-type': 'text/plain; charset=utf-8',
    'x-content-type-options': 'nosniff',
  });
  response.end(refusal(host));
  return true;
}

function refuseUpgrade(socket: Duplex, host: string): boolean {
  const body = refusal(host);
  socket.end(
    `HTTP/1.1 403 Forbidden\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
  return true;
}

/**
 * Sets `Connection: close` on every response: on a persistent connection, the client would send its next request to
 * old code, and closing an idle connection loses a request that is on its way.
 */
function closeAfterwards(
  request: IncomingMessage,
  response: ServerResponse,
  meter: TrafficMeter | undefined,
): Http1Exchange {
  const began = performance.now();
  let contentType = '';
  response.shouldKeepAlive = false;
  const setHeader = response.setHeader.bind(response);
  const writeHead = response.writeHead.bind(response) as (...args: unknown[]) => ServerResponse;

  response.setHeader = function setHeaderUnderDev(name, value) {
    if (isConnection(name)) return response;
    return setHeader(name, value);
  };
  response.writeHead = function writeHeadUnderDev(...args: unknown[]): ServerResponse {
    const headers = args.findLast((value) => typeof value === 'object' && value !== null);
    contentType = contentTypeOf(headers as Headers) ?? contentType;
    return writeHead(
      ...args.map((value) => (value === headers ? withoutConnection(value as Headers) : value)),
    );
  };
  // A framework that writes response heads itself may not have sent `close`: the socket is ended in any case.
  const isStream = (): boolean =>
    /^text\/event-stream/i.test(contentType || String(response.getHeader('content-type')));
  response.once('finish', () => {
    request.socket.end();
    meter?.ended(request.url, response.statusCode, isStream() ? undefined : performance.now() - began);
  });

  return {
    response,
    isEventStream: () => response.headersSent && isStream(),
    endEventStream() {
      if (!response.headersSent || response.writableEnded) return;
      const type = contentType || String(response.getHeader('content-type') ?? '');
      const asked = request.headers.accept ?? '';
      if (!/text\/event-stream/i.test(type || asked)) return;
      response.write('retry: 100\n\n');
      response.end();
    },
  };
}

/** The same for HTTP/2, where connections stay open. */
function measure(request: IncomingMessage, response: ServerResponse, meter: TrafficMeter): void {
  const began = performance.now();
  response.once('finish', () => {
    const isStream = /^text\/event-stream/i.test(String(response.getHeader('content-type')));
    meter.ended(request.url, response.statusCode, isStream ? undefined : performance.now() - began);
  });
}

type Headers = Record<string, OutgoingHttpHeader> | unknown[] | undefined;

function isConnection(name: unknown): boolean {
  return typeof name === 'string' && name.toLowerCase() === 'connection';
}

function withoutConnection(headers: Headers): Headers {
  if (!Array.isArray(headers)) {
    return Object.fromEntries(Object.entries(headers ?? {}).filter(([name]) => !isConnection(name)));
  }
  if (Array.isArray(headers[0])) return headers.filter((pair) => !isConnection((pair as unknown[])[0]));
  return headers.filter((_, index) => !isConnection(headers[index - (index % 2)]));
}

function contentTypeOf(headers: Headers): string | undefined {
  if (headers === undefined) return undefined;
  const pairs = !Array.isArray(headers)
    ? Object.entries(headers)
    : Array.isArray(headers[0])
      ? (headers as [string, unknown][])
      : headers.flatMap((name, index) => (index % 2 === 0 ? [[name, headers[index + 1]]] : []));
  const found = pairs.find(([name]) => String(name).toLowerCase() === 'content-type');
  return found && String(found[1]);
}
