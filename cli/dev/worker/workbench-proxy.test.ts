import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import http, { type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
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

/** How many connections to the supervisor are open, when that no longer changes to none. */
async function openConnections(): Promise<number> {
  for (let tries = 0; ; tries += 1) {
    const count = await new Promise<number>((settle) =>
      supervisor.getConnections((_error, open) => settle(open)),
    );
    if (count === 0 || tries === 50) return count;
    await delay(20);
  }
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
    expect((await ask(port, { path: '/_fw/requests' })).status).toBe(200);
    expect(await openConnections()).toBe(0);
  });

  it('leaves no connection behind if the client goes before the answer', async () => {
    let client: http.ClientRequest | undefined;
    answer = () => client?.destroy();
    client = http.get({ host: '127.0.0.1', port, path: '/_fw/events', agent: false }).on('error', () => {});
    await once(supervisor, 'request');
    expect(await openConnections()).toBe(0);
  });

  it('is answered with 502 if the supervisor does not answer', async () => {
    answer = (request) => request.socket.destroy();
    expect((await ask(port, { path: '/_fw/requests' })).status).toBe(502);
  });
});
