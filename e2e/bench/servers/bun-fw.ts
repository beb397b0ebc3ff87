// The workloads of Bun on fw, from the built package of this checkout: with `fw/bun`, or its handler in Bun.serve.
import { App, Json } from '../../../dist/framework/index.js';
import { listen } from '../../../dist/framework/runtime/bun/index.js';
import { bunServe } from './bun-serve.js';
import { order, reply } from './workloads.js';

const app = process.env.DEFAULTS === 'none' ? App.withoutDefaults() : new App();
app.get('/hello', (ctx) => ctx.text('Hello, World!'));
app.get('/json', (ctx) => ctx.json(reply()));
for (let i = 0; i < 100; i++) {
  app.get(`/r${i}/users/:id`, (ctx) =>
    ctx.json({ id: ctx.req.param('id'), verbose: ctx.req.query('verbose') }),
  );
}
app.post('/orders', Json(order), ({ items }) => ({ ok: true, total: items.length }));

if (process.env.SERVE === 'fetch') bunServe(app.fetch);
else {
  await listen(app, Number(process.env.PORT));
  console.log('ready');
}
