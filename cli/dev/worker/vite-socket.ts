// The WebSockets of Vite's client: makes the app's server report them, and writes the request that opens them at Vite.
import { EventEmitter } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import type net from 'node:net';

/** The sub-protocols of Vite's client: for its messages, and to find out whether the server is back. */
export function isViteSocket({ headers }: IncomingMessage): boolean {
  return /^vite-(?:hmr|ping)$/.test(headers['sec-websocket-protocol'] ?? '');
}

/** The head of the request as it came, for another host and with a field more. */
export function headFor(
  { method, url, rawHeaders }: IncomingMessage,
  host: string,
  [field, value]: readonly [name: string, value: string],
): string {
  const lines = [`${method} ${url} HTTP/1.1`, `${field}: ${value}`];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    if (name.toLowerCase() === field) continue;
    lines.push(`${name}: ${name.toLowerCase() === 'host' ? host : rawHeaders[index + 1]}`);
  }
  return `${lines.join('\r\n')}\r\n\r\n`;
}

/**
 * Node reports an upgrade only if the server has a listener for it, and an app without WebSockets has none. A listener
 * of our own would be seen by the app.
 */
export function reportUpgrades(server: net.Server): void {
  server.listenerCount = function listenerCountUnderDev(event, ...rest) {
    const count = EventEmitter.prototype.listenerCount.call(server, event, ...rest);
    return event === 'upgrade' ? Math.max(1, count) : count;
  };
}

/** Whether the app itself listens for upgrades. */
export function hearsUpgrades(server: net.Server): boolean {
  return EventEmitter.prototype.listenerCount.call(server, 'upgrade') > 0;
}

/** What Node does without a listener for upgrades: the request is answered as if it had not asked for one. */
export function asPlainRequest(server: net.Server, request: IncomingMessage, socket: net.Socket): boolean {
  const response = new (responseClass(server))(request);
  response.shouldKeepAlive = false;
  response.assignSocket(socket);
  response.once('finish', () => socket.end());
  setImmediate(() => server.emit('request', request, response));
  return true;
}

/** The class that the server was created with; Node keeps it under a symbol. */
function responseClass(server: net.Server): typeof http.ServerResponse {
  const symbol = Object.getOwnPropertySymbols(server).find(
    ({ description }) => description === 'ServerResponse',
  );
  const found = symbol && (server as unknown as Record<symbol, unknown>)[symbol];
  return typeof found === 'function' ? (found as typeof http.ServerResponse) : http.ServerResponse;
}
