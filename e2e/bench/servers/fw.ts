// The workloads on fw, from the built package of this checkout.
import { App, Json, route } from '../../../dist/framework/index.js';
import { RpcRegistry } from '../../../dist/framework/rpc/index.js';
import { add, order, reply, userPage, userRows } from './workloads.js';

const app = process.env.DEFAULTS === 'none' ? App.withoutDefaults() : new App();
app.get('/hello', (ctx) => ctx.text('Hello, World!'));
app.get('/json', (ctx) => ctx.json(reply()));
for (let i = 0; i < 100; i++) {
  app.get(`/r${i}/users/:id`, (ctx) =>
    ctx.json({ id: ctx.req.param('id'), verbose: ctx.req.query('verbose') }),
  );
}
app.post('/orders', Json(order), ({ items }) => ({ ok: true, total: items.length }));

app.get(route('/users', { returns: userPage }), () => userRows());

const chained = new App();
for (let i = 0; i < 10; i++) chained.use(async (_ctx, next) => await next());
chained.get('/', (ctx) => ctx.text('Hello, World!'));
app.route('/chain', chained);

const rpc = new RpcRegistry().queryWithTypes('add', add, '{ a: number; b: number }', '{ sum: number }');
app.mountRpc('/rpc', rpc);

if (process.env.FILES) app.serveStatic('/files', process.env.FILES);

await app.listen(Number(process.env.PORT));
console.log('ready');
