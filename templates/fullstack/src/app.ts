// The app, made of its parts. The tests make it with a database of their own.
import { App, type Context, type FwResponse, type Next } from 'fw';
import { csrf } from 'fw/csrf';
import { logger, rateLimiter, requestId, securityHeaders } from 'fw/middleware';
import { session } from 'fw/session';
import { withSpan } from 'fw/tracing';
import { sql } from 'kysely';
import { namesProvider, oidcRoutes, type ProviderSettings } from './auth/oidc.ts';
import type { Env } from './env.ts';
import { rpc } from './rpc.ts';
import { type Services, withServices } from './services.ts';

export type Settings = ProviderSettings & Pick<Env, 'CSRF_SECRET' | 'RATE_LIMIT' | 'TRUSTED_PROXIES'>;

const DAY_MS = 24 * 60 * 60 * 1000;

// The page has its scripts and styles in files of its own, and talks to nobody else.
const csp = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

export function createApp(settings: Settings, services: Services): App {
  const { CSRF_SECRET, PUBLIC_URL, RATE_LIMIT, TRUSTED_PROXIES } = settings;
  const secure = PUBLIC_URL.protocol === 'https:';
  const { db, sessions, limits, telemetry } = services;

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
    .use(telemetry.metrics.middleware())
    // Vite adds scripts of its own to the page while `fw dev` runs.
    .use(securityHeaders({ csp: process.env.NODE_ENV === 'development' ? false : csp }))
    // Whoever does not come for a week signs in again, and everybody after a month.
    .use(session(sessions, { idleMs: 7 * DAY_MS, absoluteMs: 30 * DAY_MS, persistent: true, secure }))
    .use(csrf({ secret: CSRF_SECRET, secure, allowedOrigins: [PUBLIC_URL.origin] }));

  // Balancers send requests while /health is 200, and an orchestrator restarts a process that does not answer /health/live.
  app.health('/health', { database: () => sql`select 1`.execute(db) });

  // Calls are logged, with the ids of their requests and users, and limited; the many files of the page are not.
  const calls = () =>
    App.withoutDefaults()
      .use(namesUser)
      .use(withServices(services))
      .use(logger())
      .use(rateLimiter({ max: RATE_LIMIT, windowSeconds: 60, store: limits }));
  return app
    .onClose(() => services.close())
    .route('/rpc', calls().use(namesProvider(settings)).mountRpc('/', rpc))
    .route('/auth', oidcRoutes(calls(), settings));
}

/** What is logged inside has the id of the user. */
function namesUser(ctx: Context, next: Next): Promise<FwResponse> {
  const user = ctx.principal();
  return user === undefined ? next() : withSpan({ user_id: user.id }, next);
}
