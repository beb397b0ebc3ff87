// The workloads on Hono with its Node server.
import { serve } from '@hono/node-server';
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono } from 'hono';
import { order, reply, userPage, userRows } from './workloads.js';

const app = new Hono();
app.get('/hello', (c) => c.text('Hello, World!'));
app.get('/json', (c) => c.json(reply()));
for (let i = 0; i < 100; i++) {
  app.get(`/r${i}/users/:id`, (c) => c.json({ id: c.req.param('id'), verbose: c.req.query('verbose') }));
}
app.post('/orders', async (c) => {
  const parsed = order.parse(await c.req.json());
  return c.json({ ok: true, total: parsed.items.length });
});
app.get('/users', (c) => c.json(userPage.parse(userRows())));
for (let i = 0; i < 10; i++) {
  app.use('/chain', async (_c, next) => {
    await next();
  });
}
app.get('/chain', (c) => c.text('Hello, World!'));
if (process.env.FILES) {
  const root = process.env.FILES;
  app.use('/files/*', serveStatic({ root, rewriteRequestPath: (path) => path.slice('/files'.length) }));
}

serve({ fetch: app.fetch, port: Number(process.env.PORT), hostname: '127.0.0.1' }, () =>
  console.log('ready'),
);
