// Answers in the supervisor itself while there is no worker: a 503 that shows why, and the page about the app.
import http from 'node:http';
import type { Socket } from 'node:net';
import type { BoundAddress, Receiver } from '../../process/messages.js';
import type { Workbench } from '../workbench/workbench.js';
import { FAILURE_POLICY, failurePage, wantsPage } from '../worker/failure-page.js';
import { createHostRule, hostsOf, refusal } from '../worker/host-rule.js';
import { isWorkbench, ownFacts } from '../worker/workbench-proxy.js';

/** Owns its sockets: closes those of slow or silent clients after 10 s. */
export class Fallback implements Receiver {
  busy = false;
  readonly #address: BoundAddress;
  readonly #allowedHosts: () => string[];
  readonly #reason: () => string;
  readonly #workbench: Workbench | undefined;
  readonly #server: http.Server;
  readonly #open = new Set<Socket>();

  /** @param reason called for every request; returns the body of the 503 */
  constructor(
    address: BoundAddress,
    allowedHosts: () => string[],
    reason: () => string,
    workbench?: Workbench,
  ) {
    this.#address = address;
    this.#allowedHosts = allowedHosts;
    this.#reason = reason;
    this.#workbench = workbench;
    this.#server = http.createServer((request, response) => this.#answer(request, response));
    this.#server.timeout = 10_000;
  }

  accept(socket: Socket, done: (outcome: 'sent' | 'kept' | 'lost') => void): void {
    this.#open.add(socket);
    socket.once('close', () => this.#open.delete(socket));
    this.#server.emit('connection', socket);
    socket.resume();
    done('kept');
  }

  close(): void {
    for (const socket of this.#open) socket.destroy();
  }

  #answer(request: http.IncomingMessage, response: http.ServerResponse): void {
    const isAllowed = createHostRule(this.#address, this.#allowedHosts());
    const foreign = hostsOf(request).find((host) => !isAllowed(host));
    if (this.#workbench && foreign === undefined && isWorkbench(request.url)) {
      answerPage(this.#workbench, request, response);
      return;
    }
    const isPage =
      foreign === undefined && this.#workbench !== undefined && wantsPage(request.headers.accept);
    response.writeHead(foreign === undefined ? 503 : 403, {
      'content-type': `text/${isPage ? 'html' : 'plain'}; charset=utf-8`,
      ...(isPage && { 'content-security-policy': FAILURE_POLICY }),
      vary: 'Accept',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      connection: 'close',
      ...(foreign === undefined && { 'retry-after': '1' }),
    });
    if (foreign !== undefined) response.end(refusal(foreign));
    else response.end(isPage ? failurePage(this.#reason()) : this.#reason());
  }
}

function answerPage(
  workbench: Workbench,
  request: http.IncomingMessage,
  response: http.ServerResponse,
): void {
  Object.assign(request.headers, ownFacts(request));
  response.setHeader('connection', 'close');
  workbench.answer(request, response);
}
