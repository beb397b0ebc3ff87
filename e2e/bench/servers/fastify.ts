// The workloads on Fastify.
import serveStatic from '@fastify/static';
import Fastify from 'fastify';
import { z } from 'zod';
import { order, reply, userPage, userRows } from './workloads.js';

const app = Fastify();
app.get('/hello', (_request, answer) => {
  answer.type('text/plain; charset=utf-8').send('Hello, World!');
});
app.get('/json', async () => reply());
for (let i = 0; i < 100; i++) {
  app.get<{ Params: { id: string }; Querystring: { verbose: string } }>(
    `/r${i}/users/:id`,
    async (request) => ({
      id: request.params.id,
      verbose: request.query.verbose,
    }),
  );
}
app.post('/orders', async (request) => {
  const parsed = order.parse(request.body);
  return { ok: true, total: parsed.items.length };
});
// Its serialiser is made of the schema, and writes the declared fields alone; it does not validate.
const pageSchema = z.toJSONSchema(userPage, { target: 'draft-7' });
app.get('/users', { schema: { response: { 200: pageSchema } } }, async () => userRows());
app.register(async (scope) => {
  for (let i = 0; i < 10; i++) scope.addHook('onRequest', async () => {});
  scope.get('/chain', (_request, answer) => {
    answer.type('text/plain; charset=utf-8').send('Hello, World!');
  });
});
if (process.env.FILES) app.register(serveStatic, { root: process.env.FILES, prefix: '/files/' });

await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
console.log('ready');
