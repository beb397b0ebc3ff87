// The json workload of Hono behind its own ways to authenticate; it has no sessions.
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { bearerAuth } from 'hono/bearer-auth';
import { jwt } from 'hono/jwt';
import { keys, secret } from './auth-workload.js';
import { reply } from './workloads.js';

const app = new Hono();
app.get('/plain', (c) => c.json(reply()));
app.use('/jwt', jwt({ secret, alg: 'HS256' })).get('/jwt', (c) => c.json(reply()));
app.use('/key', bearerAuth({ token: [...keys] })).get('/key', (c) => c.json(reply()));
serve({ fetch: app.fetch, port: Number(process.env.PORT), hostname: '127.0.0.1' }, () =>
  console.log('ready'),
);
