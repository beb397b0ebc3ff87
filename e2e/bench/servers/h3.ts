// The workloads on h3.
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { defineJsonRpcHandler, H3, type H3Event, readBody, serve, serveStatic } from 'h3';
import { add, order, reply } from './workloads.js';

const app = new H3();
function hello(event: H3Event): string {
  event.res.headers.set('content-type', 'text/plain; charset=utf-8');
  return 'Hello, World!';
}
app.get('/hello', hello);
app.get('/json', () => reply());
for (let i = 0; i < 100; i++) {
  app.get(`/r${i}/users/:id`, (event) => ({
    id: event.context.params?.id,
    verbose: event.url.searchParams.get('verbose'),
  }));
}
app.post('/orders', async (event) => {
  const parsed = order.parse(await readBody(event));
  return { ok: true, total: parsed.items.length };
});
for (let i = 0; i < 10; i++) app.use('/chain', async (_event, next) => await next());
app.get('/chain', hello);
app.post(
  '/rpc',
  defineJsonRpcHandler({ methods: { add: ({ params }) => add(params as { a: number; b: number }) } }),
);
const files = process.env.FILES ?? '';
app.use('/files/**', (event) =>
  serveStatic(event, {
    getContents: (id) => readFile(join(files, id.slice('/files'.length))),
    getMeta: async (id) => {
      const found = await stat(join(files, id.slice('/files'.length))).catch(() => undefined);
      return found?.isFile() ? { size: found.size, mtime: found.mtimeMs, type: 'text/plain' } : undefined;
    },
  }),
);

await serve(app, { port: Number(process.env.PORT), hostname: '127.0.0.1', silent: true }).ready();
console.log('ready');
