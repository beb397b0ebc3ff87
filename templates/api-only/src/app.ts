// The app, made of its parts. The tests make it with a database of their own.
import { App } from 'fw';
import type { Mailer } from 'fw/mail';
import { logger, rateLimiter, requestId, securityHeaders } from 'fw/middleware';
import { signInLimit } from 'fw/password';
import { sql } from 'kysely';
import { me, signIn, signUp } from './auth/accounts.ts';
import { apiKeys } from './auth/api-keys.ts';
import { authentication, tokens } from './auth/auth.ts';
import { passwordReset } from './auth/password-reset.ts';
import { checkPasswords, password } from './auth/passwords.ts';
import { refreshing, signIns } from './auth/refresh-tokens.ts';
import type { Db } from './database/database.ts';
import type { Env } from './env.ts';
import { type MailSettings, mailerOf } from './mail.ts';
import { tasks } from './tasks/tasks.ts';

export type Settings = MailSettings &
  Pick<Env, 'DOCS' | 'JWT_SECRET' | 'RATE_LIMIT' | 'RESET_PAGE' | 'TRUSTED_PROXIES'>;

export function createApp(settings: Settings, db: Db, mail: Mailer = mailerOf(settings)): App {
  const { DOCS, JWT_SECRET, RATE_LIMIT, RESET_PAGE, TRUSTED_PROXIES } = settings;
  const jwt = tokens(JWT_SECRET);
  const isHttps = process.env.NODE_ENV !== 'development';
  const checkPassword = checkPasswords(signInLimit({ secret: JWT_SECRET, secure: isHttps }));
  const open = ['/', '/health', '/health/live', '/sign-up', '/sign-in', '/token', '/password-reset'];

  const app = App.withoutDefaults()
    .withKysely(db)
    // Larger bodies are answered with 413, requests that take longer with 408.
    .maxBodySize(64 * 1024)
    .requestTimeout(30_000)
    .trustProxy(TRUSTED_PROXIES.length > 0 && TRUSTED_PROXIES)
    // Longer than the proxy keeps them: a request into a connection that is being closed is a 502 of the proxy.
    .connectionTimeouts({ keepAliveMs: 130_000 })
    // Everything that is logged below has the id of its request.
    .use(requestId({ trustedOnly: true }))
    .use(logger())
    .use(securityHeaders({ csp: "default-src 'none'; frame-ancestors 'none'" }))
    .use(rateLimiter({ max: RATE_LIMIT, windowSeconds: 60 }))
    .use(authentication(jwt, db))
    // Every route needs somebody who is authenticated, except for these.
    .requireAuth({ except: DOCS ? [...open, '/docs', '/docs/*'] : open });

  // Balancers send requests while /health is 200, and an orchestrator restarts a process that does not answer /health/live.
  app.health('/health', { database: () => sql`select 1`.execute(db) });
  // People find the documentation there, and programs what the app is.
  app.get('/', (ctx) =>
    DOCS ? ctx.redirect('/docs') : ctx.json({ name: 'Tasks', version: '0.1.0', health: '/health' }),
  );
  app.route('/sign-up', signUp(jwt));
  app.route('/sign-in', signIn(jwt, checkPassword));
  app.route('/password-reset', passwordReset({ mail, page: RESET_PAGE }));
  app.route('/token', refreshing(jwt));
  app.route('/sign-ins', signIns());
  app.route('/me', me(checkPassword));
  app.route('/me/password', password(checkPassword));
  app.route('/api-keys', apiKeys());
  app.route('/tasks', tasks());
  app.onClose(() => mail.close());

  // The page is made of the schemas and descriptions of the routes above.
  return DOCS ? app.serveDocs('/docs', app, { title: 'Tasks', version: '0.1.0' }) : app;
}
