// The app, made of its parts. The tests make it with a database of their own.
import { App, type Context, describeRoute, type FwResponse, type Next } from 'fw';
import { csrf } from 'fw/csrf';
import { logger, rateLimiter, requestId, securityHeaders } from 'fw/middleware';
import { session } from 'fw/session';
import { withSpan } from 'fw/tracing';
import { sql } from 'kysely';
import { z } from 'zod';
import { DatabaseSessionStore } from './auth/session-store.ts';
import type { Db } from './database/database.ts';
import type { Env } from './env.ts';
import { type SendMail, sendMail } from './mail.ts';
import { rpc } from './rpc.ts';
import { withServices } from './services.ts';

export type Settings = Pick<Env, 'CSRF_SECRET' | 'PUBLIC_URL' | 'RATE_LIMIT' | 'TRUSTED_PROXIES'>;

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

export function createApp(
  { CSRF_SECRET, PUBLIC_URL, RATE_LIMIT, TRUSTED_PROXIES }: Settings,
  db: Db,
  send: SendMail = sendMail,
): App {
  const secure = PUBLIC_URL.protocol === 'https:';
  const store = new DatabaseSessionStore(db);

  const app = App.withoutDefaults()
    .withKysely(db)
    // Larger bodies are answered with 413, requests that take longer with 408.
    .maxBodySize(64 * 1024)
    .requestTimeout(30_000)
    .trustProxy(TRUSTED_PROXIES.length > 0 && TRUSTED_PROXIES)
    .use(requestId({ trustedOnly: true }))
    // Vite adds scripts of its own to the page while `fw dev` runs.
    .use(securityHeaders({ csp: process.env.NODE_ENV === 'development' ? false : csp }))
    // Whoever does not come for a week signs in again, and everybody after a month.
    .use(session(store, { idleMs: 7 * DAY_MS, absoluteMs: 30 * DAY_MS, persistent: true, secure }))
    .use(csrf({ secret: CSRF_SECRET, secure, allowedOrigins: [PUBLIC_URL.origin] }));

  app.get(
    describeRoute('/health', {
      returns: z.object({ status: z.literal('ok') }),
      errors: { 503: 'The database is away.' },
    }),
    async (ctx) => {
      await sql`select 1`.execute(ctx.db());
      return { status: 'ok' };
    },
  );

  // Calls are logged, with the ids of their requests and users, and limited; the many files of the page are not.
  const calls = App.withoutDefaults()
    .use(namesUser)
    .use(withServices({ sessions: store, sendMail: send, publicUrl: PUBLIC_URL }))
    .use(logger())
    .use(rateLimiter({ max: RATE_LIMIT, windowSeconds: 60 }));
  return app.route('/rpc', calls.mountRpc('/', rpc));
}

/** What is logged inside has the id of the user. */
function namesUser(ctx: Context, next: Next): Promise<FwResponse> {
  const user = ctx.principal();
  return user === undefined ? next() : withSpan({ user_id: user.id }, next);
}
