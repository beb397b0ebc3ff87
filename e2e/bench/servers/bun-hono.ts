// The workloads of Bun on Hono.
import { Hono } from 'hono';
import { bunServe } from './bun-serve.js';
import { order, reply } from './workloads.js';

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

bunServe(app.fetch);
