// Answers in the supervisor itself where no worker can: a plain-text 503 that shows why.
import http from 'node:http';
import { createHostRule, hostsOf, refusal } from './host-rule.js';
import type { Receiver } from './listener.js';
import type { BoundAddress } from './messages.js';

/** `reason` is asked for every request. Sockets are its own: slow or silent clients are cut after 10 s. */
export function createFallback(
  address: BoundAddress,
  allowedHosts: () => string[],
  reason: () => string,
): Receiver & { close(): void } {
  const server = http.createServer((request, response) => {
    const isAllowed = createHostRule(address, allowedHosts());
    const foreign = hostsOf(request).find((host) => !isAllowed(host));
    response.writeHead(foreign === undefined ? 503 : 403, {
      'content-type': 'text/plain; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      connection: 'close',
      ...(foreign === undefined && { 'retry-after': '1' }),
    });
    response.end(foreign === undefined ? reason() : refusal(foreign));
  });
  server.timeout = 10_000;
  const open = new Set<import('node:net').Socket>();
  return {
    busy: false,
    accept(socket, done) {
      open.add(socket);
      socket.once('close', () => open.delete(socket));
      server.emit('connection', socket);
      socket.resume();
      done('kept');
    },
    close() {
      for (const socket of open) socket.destroy();
    },
  };
}
