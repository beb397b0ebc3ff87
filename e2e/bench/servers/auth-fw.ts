// The json workload of fw behind each way to authenticate.

import { apiKey, StaticKeys } from '../../../dist/framework/auth/api-key/index.js';
import { Jwt } from '../../../dist/framework/auth/jwt/index.js';
import { App } from '../../../dist/framework/index.js';
import { RedisSessionStore } from '../../../dist/framework/redis/index.js';
import { MemoryStore, session } from '../../../dist/framework/session/index.js';
import { keys, secret } from './auth-workload.js';
import { reply } from './workloads.js';

const app = new App().get('/plain', (ctx) => ctx.json(reply()));
const behind = (middleware: Parameters<App['use']>[0]): App =>
  new App().use(middleware).get('/', (ctx) => {
    ctx.requireAuth();
    return ctx.json(reply());
  });
app.route('/jwt', behind(Jwt.hs256(secret).build()));
const store = new StaticKeys();
for (const [index, key] of keys.entries()) store.insert(key, `client ${index}`);
app.route('/key', behind(apiKey({ store })));
const kinds = {
  memory: new MemoryStore(),
  redis: new RedisSessionStore('redis://127.0.0.1:6379', { prefix: 'fw-bench:' }),
};
for (const [name, sessions] of Object.entries(kinds)) {
  const signedIn = behind(session(sessions, { secure: false }));
  const all = new App().use(session(sessions, { secure: false })).post('/', (ctx) => {
    ctx.session().signIn('ada');
    return 'ok';
  });
  app.route(`/sign-in-${name}`, all).route(`/session-${name}`, signedIn);
}

await app.listen(Number(process.env.PORT));
console.log('ready');
