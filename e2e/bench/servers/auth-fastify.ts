// The json workload of Fastify behind each way to authenticate.
import bearerAuth from '@fastify/bearer-auth';
import cookie from '@fastify/cookie';
import jwt from '@fastify/jwt';
import session from '@fastify/session';
import { RedisStore } from 'connect-redis';
import fastify, { type FastifyInstance } from 'fastify';
import { createClient } from 'redis';
import { keys, secret } from './auth-workload.js';
import { reply } from './workloads.js';

const app = fastify();
app.get('/plain', async () => reply());
app.register(async (scope) => {
  await scope.register(jwt, { secret });
  scope.addHook('onRequest', async (request) => void (await request.jwtVerify()));
  scope.get('/jwt', async () => reply());
});
app.register(async (scope) => {
  await scope.register(bearerAuth, { keys: new Set(keys) });
  scope.get('/key', async () => reply());
});
const client = await createClient({ url: 'redis://127.0.0.1:6379' }).connect();
await app.register(cookie);
for (const name of ['memory', 'redis']) {
  app.register(async (scope: FastifyInstance) => {
    const store = name === 'redis' ? { store: new RedisStore({ client, prefix: 'fastify-bench:' }) } : {};
    await scope.register(session, {
      secret,
      cookie: { secure: false },
      saveUninitialized: false,
      // Without it, every request writes the session again.
      rolling: false,
      ...(store as object),
    });
    scope.post(`/sign-in-${name}`, async (request) => {
      request.session.set('user' as never, 'ada' as never);
      return 'ok';
    });
    scope.get(`/session-${name}`, async (request, answer) =>
      request.session.get('user' as never) === 'ada' ? reply() : answer.code(401).send(),
    );
  });
}
await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
console.log('ready');
