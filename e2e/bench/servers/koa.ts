// The workloads on Koa, with its organisation's router, parser of bodies and static files.
import { bodyParser } from '@koa/bodyparser';
import Router from '@koa/router';
import { send } from '@koa/send';
import Koa from 'koa';
import { order, reply } from './workloads.js';

const app = new Koa();
// It would print each client that leaves at the end of a round.
app.silent = true;
const router = new Router();
router.get('/hello', (ctx) => {
  ctx.body = 'Hello, World!';
});
router.get('/json', (ctx) => {
  ctx.body = reply();
});
for (let i = 0; i < 100; i++) {
  router.get(`/r${i}/users/:id`, (ctx) => {
    ctx.body = { id: ctx.params.id, verbose: ctx.query.verbose };
  });
}
router.post('/orders', bodyParser(), (ctx) => {
  const parsed = order.parse(ctx.request.body);
  ctx.body = { ok: true, total: parsed.items.length };
});
const steps = Array.from({ length: 10 }, () => async (_ctx: unknown, next: () => Promise<unknown>) => {
  await next();
});
router.get('/chain', ...steps, (ctx) => {
  ctx.body = 'Hello, World!';
});
const root = process.env.FILES;
if (root) {
  router.get('/files/:name', async (ctx) => {
    await send(ctx, ctx.params.name ?? '', { root });
  });
}
app.use(router.routes());

app.listen(Number(process.env.PORT), '127.0.0.1', () => console.log('ready'));
