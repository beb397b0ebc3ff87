// The app, made of its parts. The tests make it with services of their own.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { App } from 'fw';
import { compression } from 'fw/compression';
import { cors, logger, rateLimiter, requestId, securityHeaders } from 'fw/middleware';
import { me, signIn, signUp } from './auth/accounts.ts';
import { apiKeys } from './auth/api-keys.ts';
import { authentication, tokens } from './auth/auth.ts';
import { isOfProvider, oidcRoutes, openOidcRoutes } from './auth/oidc.ts';
import { passwordReset } from './auth/password-reset.ts';
import { password, passwordCheck } from './auth/passwords.ts';
import {
  adminsOnly,
  browserSessions,
  endOtherSessions,
  forgeryProtection,
  sessions,
} from './auth/sessions.ts';
import type { Env } from './env.ts';
import { type SendMail, sendMail } from './mail.ts';
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

const open = [
  '/',
  '/assets/*',
  '/health/live',
  '/health/ready',
  '/sign-up',
  '/sign-in',
  '/password-reset',
  'POST /session',
];

export async function createApp(env: Env, services: Services, send: SendMail = sendMail): Promise<App> {
  const { db, limits, metrics } = services;
  const jwt = tokens(env.JWT_SECRET);
  const [secret = ''] = env.JWT_SECRET;
  const secure = env.PUBLIC_URL.protocol === 'https:';
  const checkPassword = passwordCheck({ secret, secure, store: limits });
  const oidc = await oidcRoutes(env);

  const app = App.withoutDefaults()
    .withKysely(db)
    // Larger bodies are answered with 413, requests that take longer with 408.
    .maxBodySize(64 * 1024)
    .requestTimeout(30_000)
    .shutdownGracePeriod(20_000)
    .trustProxy(env.TRUSTED_PROXIES.length > 0 && env.TRUSTED_PROXIES)
    // The order matters: each sees what those below it answer, refusals included.
    .use(requestId({ trustedOnly: true }))
    .use(tracing())
    .use(logger())
    .use(metrics.middleware())
    .use(securityHeaders({ csp, ...(!secure && { hsts: false }) }))
    .use(compression())
    // Pages of other origins use tokens. They get no cookies, so they cannot act for whoever is signed in here.
    .use(
      cors({
        origin: env.CORS_ORIGINS,
        allowMethods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
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
  app.route('/session', browserSessions(checkPassword));
  if (oidc !== undefined) app.route('/auth', oidc);
  app.route(
    '/password-reset',
    passwordReset({
      sendMail: send,
      page: new URL('/', env.PUBLIC_URL),
      store: limits,
      mayHavePassword: (userId) => !isOfProvider(userId),
      changed: (userId) => services.sessions.endAll(userId),
    }),
  );
  app.route('/me', me());
  app.route(
    '/me/password',
    password(checkPassword, (ctx, userId) => endOtherSessions(services.sessions, ctx, userId)),
  );
  app.route('/api-keys', apiKeys());
  app.route('/tasks', tasks(watcher(env, services)));
  app.websocket('/live', services.live.socket(env.PUBLIC_URL));

  // Read once: the page is small, and changes with a deployment only.
  const page = readFileSync(join(files, 'index.html'), 'utf8');
  app.get('/', (ctx) => ctx.header('Cache-Control', 'no-cache').html(page));
  app.serveStatic('/assets', files, { cacheControl: 'no-cache' });

  // The page is made of the schemas and descriptions of the routes above.
  const docs = App.withoutDefaults()
    .use(adminsOnly(env.ADMINS))
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
