// The server of the soak: every way in and out that holds something for a client. `/memory` tells what it holds.
import { z } from 'zod';
import { App } from '../../../dist/framework/index.js';
import { RateLimitKey, rateLimiter } from '../../../dist/framework/middleware/index.js';
import { RpcRegistry } from '../../../dist/framework/rpc/index.js';
import { websocket } from '../../../dist/framework/websocket/index.js';
import { add, order, reply } from './workloads.js';

const chunk = new Uint8Array(16 * 1024).fill(120);

async function* megabyte(): AsyncGenerator<Uint8Array> {
  for (let i = 0; i < 64; i++) yield chunk;
}

/** After collections that let what they free be freed. */
async function held(): Promise<object> {
  for (let i = 0; i < 4; i++) {
    (globalThis as { gc?: () => void }).gc?.();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const { rss, heapUsed, external } = process.memoryUsage();
  return { rss, used: heapUsed + external, handles: process.getActiveResourcesInfo().length };
}

const limited = new App()
  .use(rateLimiter({ max: 1_000, windowSeconds: 1, key: RateLimitKey.header('X-Client') }))
  .get('/', () => 'ok');
const app = new App()
  .get('/memory', held)
  .get('/json', (ctx) => ctx.json(reply()))
  .get('/megabyte', (ctx) => ctx.stream(megabyte()))
  .post('/orders', async (ctx) => {
    const parsed = order.parse(await ctx.req.json());
    return ctx.json({ ok: true, total: parsed.items.length });
  })
  .post('/upload', async (ctx) => ({ bytes: (await ctx.req.bytes()).byteLength }))
  .websocket('/echo', websocket({ onMessage: (socket, message) => void socket.send(message) }))
  .route('/limited', limited);
const input = z.object({ a: z.number(), b: z.number() });
app.mountRpc('/rpc', new RpcRegistry().query('add', { input }, add));
await app.listen(Number(process.env.PORT));
console.log('ready');
