// The workloads on Elysia with its adapter for Node.js.
import { connect } from 'node:net';
import { node } from '@elysiajs/node';
import { staticPlugin } from '@elysiajs/static';
import { Elysia } from 'elysia';
import { order, reply } from './workloads.js';

const app = new Elysia({ adapter: node() });
app.get('/hello', () => 'Hello, World!');
app.get('/json', () => reply());
for (let i = 0; i < 100; i++) {
  app.get(`/r${i}/users/:id`, ({ params, query }) => ({ id: params.id, verbose: query.verbose }));
}
app.post('/orders', ({ body }) => ({ ok: true, total: body.items.length }), { body: order });
const chained = new Elysia({ prefix: '/chain' });
for (let i = 0; i < 10; i++) chained.onBeforeHandle(async () => {});
chained.get('/', () => 'Hello, World!');
app.use(chained);
if (process.env.FILES) app.use(await staticPlugin({ assets: process.env.FILES, prefix: '/files' }));

const port = Number(process.env.PORT);
// Its callback comes before the socket listens.
app.listen({ port, hostname: '127.0.0.1' });
while (!(await isListening())) await new Promise((resolve) => setTimeout(resolve, 10));
console.log('ready');

function isListening(): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
      .on('error', () => resolve(false))
      .on('connect', () => {
        resolve(true);
        socket.destroy();
      });
  });
}
