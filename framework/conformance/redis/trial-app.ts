// Tests of Redis: an App with shared sessions and limits; started as a process it listens and sends its address.
import { fileURLToPath } from 'node:url';
import { App } from '../../app/app.js';
import { RateLimitKey } from '../../middleware/rate-limit/rate-limit-key.js';
import { rateLimiter } from '../../middleware/rate-limit/rate-limiter.js';
import { RedisRateLimitStore, RedisSessionStore } from '../../redis/index.js';
import { session } from '../../session/session.js';

export interface TrialApp {
  readonly app: App;
  readonly store: RedisSessionStore;
  close(): Promise<void>;
}

/** `/limited` allows three requests of all clients together. */
export function trialApp(url: string, prefix: string, onStoreError: 'allow' | 'deny' = 'allow'): TrialApp {
  const store = new RedisSessionStore(url, { prefix: `${prefix}session:`, timeoutMs: 500 });
  const limits = new RedisRateLimitStore(url, { prefix: `${prefix}limit:`, timeoutMs: 500 });
  const limiter = rateLimiter({
    max: 3,
    windowSeconds: 3600,
    key: RateLimitKey.global,
    store: limits,
    onStoreError,
  });
  const app = new App()
    .use(session(store, { secure: false }))
    .get('/', (ctx) => ({ user: ctx.session().userId ?? null, count: ctx.session().get('count') ?? 0 }))
    .post('/login', (ctx) => ctx.session().signIn('ada'))
    .post('/logout', (ctx) => ctx.session().clear())
    .post('/count', (ctx) => ctx.session().set('count', ((ctx.session().get('count') as number) ?? 0) + 1))
    .post('/set/:key', (ctx) => ctx.session().set(ctx.req.param('key'), true))
    .get('/sessions', (ctx) => ctx.session().list())
    .route(
      '/limited',
      new App().use(limiter).get('/', () => 'ok'),
    );
  return {
    app,
    store,
    async close() {
      await Promise.all([store.close(), limits.close()]);
    },
  };
}

const [, file, url = '', prefix = ''] = process.argv;
if (file === fileURLToPath(import.meta.url)) {
  const { url: address } = await trialApp(url, prefix).app.listen('127.0.0.1:0');
  process.send?.(address);
}
