// The app, made of its parts. The tests make it with services of their own.
import { App } from 'fw';
import { compression } from 'fw/compression';
import { cors, logger, rateLimiter, requestId, securityHeaders } from 'fw/middleware';
import { signInLimit } from 'fw/password';
import { sql } from 'kysely';
import { me, signIn, signUp } from './auth/accounts.ts';
import { apiKeys } from './auth/api-keys.ts';
import { authentication, tokens } from './auth/auth.ts';
import { passwordReset } from './auth/password-reset.ts';
import { checkPasswords, password } from './auth/passwords.ts';
import { refreshing, signIns } from './auth/refresh-tokens.ts';
import type { Env } from './env.ts';
import type { Services } from './services.ts';
import type { TaskWatcher } from './tasks/task-changes.ts';
import { tasks } from './tasks/tasks.ts';

export function createApp(env: Env, services: Services): App {
  const { db, limits, mail, telemetry } = services;
  const { CORS_ORIGINS, DOCS, JWT_SECRET, RATE_LIMIT, RESET_PAGE, TRUSTED_PROXIES } = env;
  const jwt = tokens(JWT_SECRET);
  const [secret = ''] = JWT_SECRET;
  const isHttps = process.env.NODE_ENV !== 'development';
  const checkPassword = checkPasswords(signInLimit({ secret, secure: isHttps, store: limits }));
  const open = ['/', '/health', '/health/live', '/sign-up', '/sign-in', '/token', '/password-reset'];

  const app = App.withoutDefaults()
    .withKysely(db)
    // Larger bodies are answered with 413, requests that take longer with 408.
    .maxBodySize(64 * 1024)
    .requestTimeout(30_000)
    .shutdownGracePeriod(20_000)
    .trustProxy(TRUSTED_PROXIES.length > 0 && TRUSTED_PROXIES)
    // Longer than the proxy keeps them: a request into a connection that is being closed is a 502 of the proxy.
    .connectionTimeouts({ keepAliveMs: 130_000 })
    // The order matters: each sees what those below it answer, refusals included.
    .use(requestId({ trustedOnly: true }))
    .use(telemetry.traces.middleware())
    .use(logger())
    .use(telemetry.metrics.middleware())
    .use(securityHeaders({ csp: "default-src 'none'; frame-ancestors 'none'" }))
    .use(compression())
    // Pages of these origins call the API with tokens; there are no cookies that could act for somebody.
    .use(
      cors({
        origin: CORS_ORIGINS,
        allowMethods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
        allowHeaders,
        exposeHeaders,
      }),
    )
    .use(rateLimiter({ max: RATE_LIMIT, windowSeconds: 60, store: limits }))
    .use(authentication(jwt, db))
    // Every route needs somebody who is authenticated, except for these.
    .requireAuth({ except: DOCS ? [...open, '/docs', '/docs/*'] : open });

  // Balancers send requests while /health is 200, and an orchestrator restarts a process that does not answer /health/live.
  app.health('/health', { database: () => sql`select 1`.execute(db) });
  // People find the documentation there, and programs what the app is.
  app.get('/', (ctx) =>
    DOCS ? ctx.redirect('/docs') : ctx.json({ name: 'Tasks', version: '0.1.0', health: '/health' }),
  );
  app.route('/sign-up', signUp(jwt, limits));
  app.route('/sign-in', signIn(jwt, checkPassword));
  app.route('/password-reset', passwordReset({ mail, page: RESET_PAGE, store: limits }));
  app.route('/token', refreshing(jwt));
  app.route('/sign-ins', signIns());
  app.route('/me', me(checkPassword));
  app.route('/me/password', password(checkPassword));
  app.route('/api-keys', apiKeys());
  app.route('/tasks', tasks(watcher(env, services)));
  app.websocket('/live', services.live.socket());
  app.onClose(() => services.close());

  // The page is made of the schemas and descriptions of the routes above.
  return DOCS ? app.serveDocs('/docs', app, { title: 'Tasks', version: '0.1.0' }) : app;
}

const allowHeaders = [
  'Authorization',
  'Content-Type',
  'If-Match',
  'If-None-Match',
  'X-Api-Key',
  'traceparent',
];
const exposeHeaders = ['ETag', 'Location', 'RateLimit', 'RateLimit-Policy', 'Retry-After', 'X-Request-Id'];

/** What else happens when a task changes. */
function watcher({ WEBHOOK_URL }: Env, { jobs, live }: Services): TaskWatcher {
  return {
    async changing(trx, { kind, task: { id, ownerId } }) {
      if (WEBHOOK_URL === undefined) return;
      const at = new Date().toISOString();
      await jobs.add(trx, 'webhook', { event: `task.${kind}`, taskId: id, ownerId, at });
    },
    changed: (change) => live.tell(change),
  };
}
