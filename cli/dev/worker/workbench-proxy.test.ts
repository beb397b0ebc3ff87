import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import http, { type RequestListener } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ask } from '../workbench/trial-page.js';
import { passOn } from './workbench-proxy.js';

let folder: string;
let port: number;
let supervisor: http.Server;
let worker: http.Server;
let answer: RequestListener;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fw-proxy-'));
  const pipe = join(folder, 'pipe.sock');
  supervisor = http.createServer((request, response) => answer(request, response)).listen(pipe);
  worker = http.createServer((request, response) => passOn(request, response, pipe)).listen(0, '127.0.0.1');
  await Promise.all([once(supervisor, 'listening'), once(worker, 'listening')]);
  port = (worker.address() as AddressInfo).port;
});

afterEach(() => {
  for (const server of [supervisor, worker]) {
    server.close();
    server.closeAllConnections();
  }
  rmSync(folder, { recursive: true, force: true });
});

/** Resolves when the next connection to the supervisor has ended. */
async function connectionEnded(): Promise<void> {
  const [socket] = (await once(supervisor, 'connection')) as [Socket];
  await once(socket, 'close');
}

describe.skipIf(process.platform === 'win32')('a request that is passed on', () => {
  it('gets the answer that comes before its body is read', async () => {
    answer = (_request, response) => response.writeHead(403).end('"no"');
    const body = 'x'.repeat(2_000_000);
    for (let round = 0; round < 20; round += 1) {
      expect((await ask(port, { path: '/_fw/send', method: 'POST' }, body)).status).toBe(403);
    }
  });

  it('leaves no connection behind', async () => {
    answer = (_request, response) => response.end('{}');
    // Otherwise it would end it itself, after 5 s.
    supervisor.keepAliveTimeout = 0;
    const ended = connectionEnded();
    expect((await ask(port, { path: '/_fw/requests' })).status).toBe(200);
    await ended;
  });

  it('leaves no connection behind if the client goes before the answer', async () => {
    let client: http.ClientRequest | undefined;
    answer = () => client?.destroy();
    const ended = connectionEnded();
    client = http.get({ host: '127.0.0.1', port, path: '/_fw/events', agent: false }).on('error', () => {});
    await ended;
  });

  it('is answered with 502 if the supervisor does not answer', async () => {
    answer = (request) => request.socket.destroy();
    expect((await ask(port, { path: '/_fw/requests' })).status).toBe(502);
  });
});
