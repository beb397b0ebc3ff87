// Everything that a request does may listen to its signal: Node.js 20 warns of a leak at the eleventh listener.
import { afterEach, expect, it } from 'vitest';
import { App } from '../app/app.js';
import type { Context } from '../context/context.js';
import { RpcRegistry } from '../rpc/index.js';
import { startServer, TestClient } from '../testing/index.js';
import { connectWebSocket } from '../testing/websocket/index.js';
import { websocket } from '../websocket/index.js';

const warnings: Error[] = [];
const warn = (warning: Error) => void warnings.push(warning);
process.on('warning', warn);
afterEach(() => void process.off('warning', warn));

function listen(signal: AbortSignal): string {
  for (let n = 0; n < 30; n += 1) signal.addEventListener('abort', () => {});
  return 'listened';
}

it('thirty listeners to the signal of a request cause no warning, over every way', async () => {
  const rpc = new RpcRegistry()
    .queryWithTypes('ask', (_input, { signal }) => listen(signal), 'void', 'string')
    .subscriptionWithTypes(
      'on',
      async function* (_input, { signal }) {
        yield listen(signal);
      },
      'void',
      'string',
    );
  const routes = (app: App) => app.get('/', (ctx) => listen(ctx.signal)).mountRpc('/rpc', rpc);
  const live = websocket({ data: (ctx: Context) => void listen(ctx.signal), onMessage() {} });
  for (const app of [new App(), new App().requestTimeout(10_000)]) {
    const server = await startServer(
      routes(app).websocket('/live', { extract: (ctx: Context) => ctx }, live),
    );
    for (const client of [new TestClient(app), server.client]) {
      (await client.get('/')).assertText('listened');
      for (const method of ['ask', 'on']) {
        const json = { jsonrpc: '2.0', id: 1, method };
        expect((await client.post('/rpc', { json })).text()).toContain('listened');
      }
    }
    await (await connectWebSocket(app, '/live')).close();
    await server.close();
  }
  await rpc.call('ask', undefined);
  // Warnings are emitted in a later turn.
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  expect(warnings.filter(({ name }) => name === 'MaxListenersExceededWarning')).toEqual([]);
});
