// One server for the memory bench: a stream of a gigabyte, an upload that is read to its end, and for fw a rate
// limit by a header field. Which framework it is made with, CONTENDER says. `/memory` tells what it holds.
import { createServer, type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';

const port = Number(process.env.PORT);
const chunk = new Uint8Array(64 * 1024).fill(120);

async function* gigabyte(): AsyncGenerator<Uint8Array> {
  for (let i = 0; i < 16 * 1024; i++) yield chunk;
}

/** After collections that let what they free be freed. */
async function held(): Promise<object> {
  for (let i = 0; i < 4; i++) {
    (globalThis as { gc?: () => void }).gc?.();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const { rss, heapUsed, external } = process.memoryUsage();
  return { rss, used: heapUsed + external };
}

async function lengthOf(body: AsyncIterable<Uint8Array>): Promise<number> {
  const kept: Uint8Array[] = [];
  for await (const part of body) kept.push(part);
  return kept.reduce((sum, part) => sum + part.byteLength, 0);
}

const starts: Record<string, () => Promise<unknown>> = {
  async fw() {
    const { App } = await import('../../../dist/framework/index.js');
    const { rateLimiter, RateLimitKey } = await import('../../../dist/framework/middleware/index.js');
    const limited = new App()
      .use(rateLimiter({ max: 5, windowSeconds: 3600, key: RateLimitKey.header('X-Api-Key') }))
      .get('/', () => 'ok');
    return new App()
      .get('/gigabyte', (ctx) => ctx.stream(gigabyte()))
      .post('/upload', async (ctx) => (await ctx.req.bytes()).byteLength)
      .get('/memory', held)
      .route('/limited', limited)
      .listen(port);
  },
  async 'fw, no limit'() {
    const { App } = await import('../../../dist/framework/index.js');
    return new App()
      .post('/upload', () => 'ok')
      .get('/memory', held)
      .get('/limited', () => 'ok')
      .listen(port);
  },
  async 'node-http'() {
    const server = createServer(async (req, res) => {
      if (req.url === '/gigabyte') Readable.from(gigabyte()).pipe(res);
      else if (req.url === '/memory') res.end(JSON.stringify(await held()));
      else {
        const length = await lengthOf(req as IncomingMessage).catch(() => undefined);
        res.end(String(length));
      }
    });
    return new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  },
  async fastify() {
    const { default: Fastify } = await import('fastify');
    const app = Fastify({ bodyLimit: 1e9 });
    app.addContentTypeParser('application/octet-stream', { parseAs: 'buffer' }, (_request, body, done) =>
      done(null, body),
    );
    app.get('/gigabyte', (_request, answer) => answer.send(Readable.from(gigabyte())));
    app.post('/upload', async (request) => String((request.body as Buffer).length));
    app.get('/memory', async () => held());
    return app.listen({ port, host: '127.0.0.1' });
  },
  async hono() {
    const { serve } = await import('@hono/node-server');
    const { Hono } = await import('hono');
    const app = new Hono();
    app.get('/gigabyte', () => new Response(ReadableStream.from(gigabyte()) as ReadableStream<Uint8Array>));
    app.post('/upload', async (c) => c.text(String((await c.req.arrayBuffer()).byteLength)));
    app.get('/memory', async (c) => c.json(await held()));
    return new Promise<void>((resolve) => {
      serve({ fetch: app.fetch, port, hostname: '127.0.0.1' }, () => resolve());
    });
  },
};

await starts[process.env.CONTENDER ?? '']?.();
console.log('ready');
