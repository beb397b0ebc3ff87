// The app, made of its parts. The tests make it with a database of their own.
import { App, describeRoute } from 'fw';
import { logger, rateLimiter, requestId, securityHeaders } from 'fw/middleware';
import { sql } from 'kysely';
import { z } from 'zod';
import { me, signIn, signUp } from './auth/accounts.ts';
import { apiKeys } from './auth/api-keys.ts';
import { authentication, tokens } from './auth/auth.ts';
import { passwordReset } from './auth/password-reset.ts';
import { password, passwordCheck } from './auth/passwords.ts';
import type { Db } from './database/database.ts';
import type { Env } from './env.ts';
import { type SendMail, sendMail } from './mail.ts';
import { tasks } from './tasks/tasks.ts';

export type Settings = Pick<Env, 'DOCS' | 'JWT_SECRET' | 'RATE_LIMIT' | 'RESET_PAGE' | 'TRUSTED_PROXIES'>;

export function createApp(
  { DOCS, JWT_SECRET, RATE_LIMIT, RESET_PAGE, TRUSTED_PROXIES }: Settings,
  db: Db,
  send: SendMail = sendMail,
): App {
  const jwt = tokens(JWT_SECRET);
  const checkPassword = passwordCheck({
    secret: JWT_SECRET,
    secure: process.env.NODE_ENV !== 'development',
  });
  const open = ['/health', '/sign-up', '/sign-in', '/password-reset'];

  const app = App.withoutDefaults()
    .withKysely(db)
    // Larger bodies are answered with 413, requests that take longer with 408.
    .maxBodySize(64 * 1024)
    .requestTimeout(30_000)
    .trustProxy(TRUSTED_PROXIES.length > 0 && TRUSTED_PROXIES)
    // Everything that is logged below has the id of its request.
    .use(requestId({ trustedOnly: true }))
    .use(logger())
    .use(securityHeaders({ csp: "default-src 'none'; frame-ancestors 'none'" }))
    .use(rateLimiter({ max: RATE_LIMIT, windowSeconds: 60 }))
    .use(authentication(jwt, db))
    // Every route needs somebody who is authenticated, except for these.
    .requireAuth({ except: DOCS ? [...open, '/docs', '/docs/*'] : open });

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

  app.route('/sign-up', signUp(jwt));
  app.route('/sign-in', signIn(jwt, checkPassword));
  app.route('/password-reset', passwordReset({ sendMail: send, page: RESET_PAGE }));
  app.route('/me', me());
  app.route('/me/password', password(checkPassword));
  app.route('/api-keys', apiKeys());
  app.route('/tasks', tasks());

  // The page is made of the schemas and descriptions of the routes above.
  return DOCS ? app.serveDocs('/docs', app, { title: 'Tasks', version: '0.1.0' }) : app;
}
