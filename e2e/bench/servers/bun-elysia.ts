// The workloads of Bun on Elysia, with the server that it starts itself.
import { Elysia } from 'elysia';
import { order, reply } from './workloads.js';

const app = new Elysia();
app.get('/hello', () => 'Hello, World!');
app.get('/json', () => reply());
for (let i = 0; i < 100; i++) {
  app.get(`/r${i}/users/:id`, ({ params, query }) => ({ id: params.id, verbose: query.verbose }));
}
app.post('/orders', ({ body }) => ({ ok: true, total: body.items.length }), { body: order });

app.listen({ hostname: '127.0.0.1', port: Number(process.env.PORT) }, () => console.log('ready'));
