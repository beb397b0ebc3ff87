// An App and Vite's dev server on one HTTP server: each gets the WebSockets that are its own.
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { App } from '../app/app.js';
import { toNodeHandler } from '../app/to-node-handler.js';
import { websocket } from './index.js';

/** The members of Vite that are used, which is here only because Vitest needs it. */
interface Vite {
  createServer(options: object): Promise<{
    readonly config: { readonly webSocketToken: string };
    close(): Promise<void>;
  }>;
}

const messageOf = async (client: WebSocket): Promise<string> => String((await once(client, 'message'))[0]);

it('works beside the WebSocket of hot updates', async () => {
  const app = new App()
    .get('/up', () => 'up')
    .websocket('/echo', websocket({ onMessage: (socket, message) => void socket.send(message) }));
  const handler = toNodeHandler(app);
  const server = createServer(handler);
  const root = mkdtempSync(join(tmpdir(), 'fw-vite-'));
  const name = 'vite';
  const { createServer: createVite } = (await import(name)) as Vite;
  const vite = await createVite({
    root,
    configFile: false,
    logLevel: 'silent',
    optimizeDeps: { noDiscovery: true },
    server: { middlewareMode: true, hmr: { server }, watch: null },
  });
  server.on('upgrade', handler.upgrade);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    const hot = new WebSocket(`ws://${url}/?token=${vite.config.webSocketToken}`, 'vite-hmr');
    expect(await messageOf(hot)).toBe('{"type":"connected"}');
    const echo = new WebSocket(`ws://${url}/echo`);
    await once(echo, 'open');
    echo.send('hello');
    expect(await messageOf(echo)).toBe('hello');
    expect(await (await fetch(`http://${url}/up`, { headers: { connection: 'close' } })).text()).toBe('up');
    // The other one is still connected.
    expect(hot.readyState).toBe(WebSocket.OPEN);
    for (const client of [hot, echo]) client.terminate();
  } finally {
    await vite.close();
    server.closeAllConnections();
    server.close();
    rmSync(root, { recursive: true, force: true });
  }
});
