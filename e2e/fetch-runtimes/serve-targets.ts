// Runs on Bun: serves one App twice, by `fw/bun`, where Bun matches paths itself, and by its fetch handler alone.
import { App } from '../../framework/index.js';
import { listen } from '../../framework/runtime/bun/index.js';

interface Bun {
  serve(options: object): { readonly port: number };
}

function makeApp(): App {
  const app = new App();
  app.use(async (ctx, next) => {
    ctx.header('X-Seen', encodeURI(`${ctx.req.method} ${ctx.req.path} ${ctx.req.query('q')}`));
    return next();
  });
  for (const path of ['/', '/json', '/a/', '/a/b', '/a.b-c_d~e']) {
    app.get(path, (ctx) => ctx.json([ctx.routePath(), ctx.req.path, ctx.req.queries(), ctx.req.headers()]));
  }
  app.post('/json', async (ctx) => ctx.text(`${await ctx.req.text()}.`));
  app.get('/url', (ctx) => ctx.text(ctx.req.uri.href));
  app.get('/:name', (ctx) => ctx.text(`param ${ctx.req.param('name')}`));
  return app;
}

const matched = await listen(makeApp(), 0);
const { Bun } = globalThis as unknown as { Bun: Bun };
const plain = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: makeApp().fetch });
console.log(JSON.stringify({ ports: [matched.port, plain.port] }));
