// The app, made of its parts. The tests make it with services of their own.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { App } from 'fw';
import { compression } from 'fw/compression';
import { cors, logger, rateLimiter, requestId, securityHeaders } from 'fw/middleware';
import { me, passwordCheck, signIn, signUp } from './auth/accounts.ts';
import { apiKeys } from './auth/api-keys.ts';
import { authentication, tokens } from './auth/auth.ts';
import { oidcRoutes, openOidcRoutes } from './auth/oidc.ts';
import { adminScope, browserSessions, forgeryProtection, sessions } from './auth/sessions.ts';
import type { Env } from './env.ts';
import { tracing } from './operations/tracing.ts';
import type { Services } from './services.ts';
import type { TaskWatcher } from './tasks/task-changes.ts';
import { tasks } from './tasks/tasks.ts';

/** What pages of this app may load: their own files, and nothing inline. */
const csp = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The directory public/, beside src/ and beside dist/. */
const files = fileURLToPath(new URL('../public', import.meta.url));

const open = ['/', '/assets/*', '/health/live', '/health/ready', '/sign-up', '/sign-in', 'POST /session'];

export async function createApp(env: Env, services: Services): Promise<App> {
  const { db, limits, metrics } = services;
  const jwt = tokens(env.JWT_SECRET);
  const checkPassword = passwordCheck(limits);
  const oidc = await oidcRoutes(env);

  const app = new App()
    .withKysely(db)
    // Larger bodies are answered with 413, requests that take longer with 408.
    .maxBodySize(64 * 1024)
    .requestTimeout(30_000)
    .shutdownGracePeriod(20_000)
    .trustProxy(env.TRUSTED_PROXIES.length > 0 && env.TRUSTED_PROXIES)
    // The order matters: each sees what those below it answer, refusals included.
    .use(requestId())
    .use(tracing())
    .use(logger())
    .use(metrics.middleware())
    .use(securityHeaders({ csp, ...(env.PUBLIC_URL.protocol === 'http:' && { hsts: false }) }))
    .use(compression())
    // Pages of other origins use tokens. They get no cookies, so they cannot act for whoever is signed in here.
    .use(
      cors({
        origin: env.CORS_ORIGINS,
        allowMethods: ['GET', 'POST', 'PATCH', 'DELETE'],
        allowHeaders,
        exposeHeaders,
      }),
    )
    .use(rateLimiter({ max: env.RATE_LIMIT, windowSeconds: 60, store: limits }))
    .use(sessions(services.sessions, env))
    .use(forgeryProtection(env))
    .use(authentication(jwt, db))
    // Every route needs somebody who is authenticated, except for these.
    .requireAuth({ except: oidc === undefined ? open : [...open, ...openOidcRoutes] });

  app.route('/health', services.health.routes());
  app.route('/sign-up', signUp(jwt, limits));
  app.route('/sign-in', signIn(jwt, checkPassword));
  app.route('/session', browserSessions(checkPassword, env.ADMINS));
  if (oidc !== undefined) app.route('/auth', oidc);
  app.route('/me', me());
  app.route('/api-keys', apiKeys());
  app.route('/tasks', tasks(watcher(env, services)));
  app.websocket('/live', services.live.socket());

  // Read once: the page is small, and changes with a deployment only.
  const page = readFileSync(join(files, 'index.html'), 'utf8');
  app.get('/', (ctx) => ctx.header('Cache-Control', 'no-cache').html(page));
  app.serveStatic('/assets', files, { cacheControl: 'no-cache' });

  // The page is made of the schemas and descriptions of the routes above.
  const docs = new App()
    .requireAuth({ scopes: [adminScope] })
    .serveDocs('/', app, { title: 'Tasks', version: '0.1.0' });
  app.route('/docs', docs);

  return app.onClose(() => services.close());
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
