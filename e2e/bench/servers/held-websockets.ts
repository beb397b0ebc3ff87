// One server for the benches of WebSockets that are held: fw or raw ws, as CONTENDER says. `/memory` tells what it
// holds after collections.
import { createServer } from 'node:http';
import { WebSocketServer } from 'ws';

const port = Number(process.env.PORT);

/** After collections that let what they free be freed. */
async function held(): Promise<object> {
  for (let i = 0; i < 4; i++) {
    (globalThis as { gc?: () => void }).gc?.();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const { rss, heapUsed, external } = process.memoryUsage();
  const handles = process.getActiveResourcesInfo().filter((name) => name !== 'Timeout').length;
  return { rss, used: heapUsed + external, handles };
}

const starts: Record<string, () => Promise<unknown>> = {
  async fw() {
    const { App } = await import('../../../dist/framework/index.js');
    const { websocket } = await import('../../../dist/framework/websocket/index.js');
    return App.withoutDefaults()
      .get('/memory', held)
      .websocket(
        '/',
        // The clients of the load answer no pings.
        websocket({ onMessage() {} }, { pingIntervalMs: 600_000, timeoutMs: 600_000 }),
      )
      .listen(port);
  },
  async ws() {
    const http = createServer(async (_req, res) => void res.end(JSON.stringify(await held())));
    const server = new WebSocketServer({ server: http });
    server.on('connection', (ws) => ws.on('message', () => {}).on('error', () => {}));
    return new Promise<void>((resolve) => http.listen(port, '127.0.0.1', resolve));
  },
};

void starts[process.env.CONTENDER ?? '']?.();
console.log('ready');
