// For tests: the app with an empty database of its own, in memory. With TEST_DATABASE_URL, a server of PostgreSQL, each
// gets a new database there.
import { randomUUID } from 'node:crypto';
import type { App } from 'fw';
import { kyselyFromUrl } from 'fw/kysely';
import { type MailTransport, mailer } from 'fw/mail';
import { TestClient } from 'fw/testing';
import { sql } from 'kysely';
import { createClient } from 'redis';
import { vi } from 'vitest';
import { FwRpcClient } from '../web/src/client.ts';
import { createApp } from './app.ts';
import { type Db, migrationsOf, openDatabase } from './database/database.ts';
import { type Env, readEnv } from './env.ts';
import { makeServices, type Services } from './services.ts';
import { Telemetry } from './telemetry.ts';

// Hashes of passwords take a hundredth of the time; apps that are not in tests or development refuse that.
process.env.FW_PASSWORD_COST = '10';

/** What was sent. */
interface Mail {
  to: string;
  subject: string;
  text: string;
}

export interface TestApp extends AsyncDisposable {
  app: App;
  db: Db;
  services: Services;
  /** What was sent, the oldest first. */
  mails: Mail[];
  /** The secret of the link to a page in a mail, which is taken out of `mails`. */
  token(page: 'reset-password' | 'confirm-email', to: string): Promise<string>;
  /** The client of the page, with cookies of its own or those of `cookies`. */
  browser(cookies?: TestClient): Promise<FwRpcClient>;
  /** A browser of a new user, with cookies of its own or those of `cookies`. */
  user(email?: string, cookies?: TestClient): Promise<FwRpcClient>;
}

export const password = 'correct horse battery';

export async function testApp(settings: Partial<Env> = {}): Promise<TestApp> {
  const { url, drop } = await emptyDatabase();
  const db = await openDatabase(url);
  await migrationsOf(db).up();
  const variables = { CSRF_SECRET: 'x'.repeat(32), PUBLIC_URL: 'http://localhost', OIDC_NAME: 'Example' };
  const redis = process.env.TEST_REDIS_URL;
  const env = {
    ...readEnv({ ...variables, RATE_LIMIT: '10000' }),
    ...(redis && { REDIS_URL: redis }),
    ...settings,
  };
  env.REDIS_PREFIX = `test-${randomUUID()}:`;
  const mails: Mail[] = [];
  const sendMail: MailTransport['sendMail'] = async ({ to, subject, text }) => {
    mails.push({ to: to[0]?.address ?? '', subject, text });
  };
  const services = makeServices(
    env,
    db,
    new Telemetry(env),
    mailer({ from: env.MAIL_FROM, transport: { sendMail } }),
  );
  await services.start();
  const app = createApp(env, services);
  const browser = (cookies = new TestClient(app)) => browserOf(cookies);
  return {
    app,
    db,
    services,
    mails,
    browser,
    token: (page, to) =>
      vi.waitFor(() => tokenIn(mails, to, `http://localhost/${page}#`), { timeout: 20_000, interval: 5 }),
    async user(email = `${randomUUID()}@example.org`, cookies?: TestClient) {
      const client = await browser(cookies);
      await client.accounts.signUp({ email, password });
      return client;
    },
    async [Symbol.asyncDispose]() {
      await services.close();
      await db.destroy();
      await drop();
      if (redis !== undefined) await removeKeys(redis, env.REDIS_PREFIX);
    },
  };
}

/** Calls the app directly, without a network, with cookies as a browser has them. */
async function browserOf(browser: TestClient): Promise<FwRpcClient> {
  // As in a browser, the first answer brings the token against CSRF.
  await browser.get('/health');
  const csrf = { token: () => browser.cookie('csrf') };
  return new FwRpcClient('http://localhost/rpc', { fetch: browser.fetch, csrf });
}

function tokenIn(mails: Mail[], to: string, link: string): string {
  const index = mails.findIndex((mail) => mail.to === to && mail.text.includes(link));
  const [mail] = index === -1 ? [] : mails.splice(index, 1);
  const [, token] = /#([\w-]{43})\n/.exec(mail?.text ?? '') ?? [];
  if (token === undefined) throw new Error(`no mail to ${to} has a link ${link}`);
  return token;
}

async function emptyDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const server = process.env.TEST_DATABASE_URL;
  if (server === undefined) return { url: ':memory:', drop: async () => {} };
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const admin = await kyselyFromUrl<Record<never, never>>(server);
  await sql`create database ${sql.id(name)}`.execute(admin);
  return {
    url: Object.assign(new URL(server), { pathname: `/${name}` }).href,
    async drop() {
      await sql`drop database ${sql.id(name)} with (force)`.execute(admin);
      await admin.destroy();
    },
  };
}

async function removeKeys(url: string, prefix: string): Promise<void> {
  const client = await createClient({ url }).connect();
  for await (const keys of client.scanIterator({ MATCH: `${prefix}*` })) {
    if (keys.length > 0) await client.unlink(keys);
  }
  client.destroy();
}
