import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { App } from './app.js';
import { toNodeHandler } from './to-node-handler.js';

describe('toNodeHandler', () => {
  it('does not change a response that other middleware sent in the meantime', async () => {
    let cancelled = false;
    const cancel = () => {
      cancelled = true;
    };
    const app = new App()
      .get('/text', async () => 'too late')
      .get('/stream', async () => new Response(new ReadableStream({ cancel })));
    const handle = toNodeHandler(app);
    const server = createServer((incoming, outgoing) => {
      handle(incoming, outgoing);
      outgoing.writeHead(503).end('timed out');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    for (const path of ['/text', '/stream', '/text']) {
      const response = await fetch(`http://127.0.0.1:${port}${path}`);
      expect([response.status, await response.text()]).toEqual([503, 'timed out']);
    }
    await expect.poll(() => cancelled).toBe(true);
    server.closeAllConnections();
    server.close();
  });
});
