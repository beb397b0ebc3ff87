// For tests: the app with an empty database of its own, in memory. With TEST_DATABASE_URL, a server of PostgreSQL, each
// gets a new database there.
import { randomUUID } from 'node:crypto';
import type { App } from 'fw';
import { mailer } from 'fw/mail';
import { TestClient, TestMailbox, testDatabase } from 'fw/testing';
import { createClient } from 'redis';
import { FwRpcClient } from '../web/src/client.ts';
import { createApp } from './app.ts';
import { type Db, migrationsOf, openDatabase } from './database/database.ts';
import { type Env, readEnv } from './env.ts';
import { makeServices, type Services } from './services.ts';
import { Telemetry } from './telemetry.ts';

// Hashes of passwords take a hundredth of the time; apps that are not in tests or development refuse that.
process.env.FW_PASSWORD_COST = '10';

export interface TestApp extends AsyncDisposable {
  app: App;
  db: Db;
  services: Services;
  /** What was sent. */
  mailbox: TestMailbox;
  /** The secret of the link to a page in the next mail that has one. */
  token(page: 'reset-password' | 'confirm-email', to: string): Promise<string>;
  /** The client of the page, with cookies of its own or those of `cookies`. */
  browser(cookies?: TestClient): Promise<FwRpcClient>;
  /** A browser of a new user, with cookies of its own or those of `cookies`. */
  user(email?: string, cookies?: TestClient): Promise<FwRpcClient>;
}

const subjects = { 'reset-password': 'A new password', 'confirm-email': 'Confirm your e-mail address' };

export const password = 'correct horse battery';

export async function testApp(settings: Partial<Env> = {}): Promise<TestApp> {
  const { url, drop } = await testDatabase(process.env.TEST_DATABASE_URL);
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
  const mailbox = new TestMailbox();
  const services = makeServices(
    env,
    db,
    new Telemetry(env),
    mailer({ from: env.MAIL_FROM, transport: mailbox.transport }),
  );
  await services.start();
  const app = createApp(env, services);
  const browser = (cookies = new TestClient(app)) => browserOf(cookies);
  return {
    app,
    db,
    services,
    mailbox,
    browser,
    async token(page, to) {
      const { links } = await mailbox.waitFor({ to, subject: subjects[page] }, { timeout: 20_000 });
      const { pathname, hash } = new URL(links[0] ?? '');
      if (pathname !== `/${page}`) throw new Error(`the link in the mail leads to ${pathname}`);
      return hash.slice(1);
    },
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

async function removeKeys(url: string, prefix: string): Promise<void> {
  const client = await createClient({ url }).connect();
  for await (const keys of client.scanIterator({ MATCH: `${prefix}*` })) {
    if (keys.length > 0) await client.unlink(keys);
  }
  client.destroy();
}
