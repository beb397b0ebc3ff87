// For tests: the app with an empty database of its own, in memory. With TEST_DATABASE_URL, a server of PostgreSQL, each
// gets a new database there.
import { randomUUID } from 'node:crypto';
import type { App } from 'fw';
import { kyselyFromUrl } from 'fw/kysely';
import { TestClient } from 'fw/testing';
import { sql } from 'kysely';
import { FwRpcClient } from '../web/src/client.ts';
import { createApp, type Settings } from './app.ts';
import { type Db, migrate, openDatabase } from './database/database.ts';
import type { Mail } from './mail.ts';

export interface TestApp extends AsyncDisposable {
  app: App;
  db: Db;
  /** What was sent, the oldest first. */
  mails: Mail[];
  /** A browser that nobody has signed in with: the client of the page, with cookies of its own. */
  browser(): Promise<FwRpcClient>;
  /** A browser of a new user. */
  user(email?: string): Promise<FwRpcClient>;
}

export const password = 'correct horse battery';

export async function testApp(settings: Partial<Settings> = {}): Promise<TestApp> {
  const { url, drop } = await emptyDatabase();
  const db = await openDatabase(url);
  await migrate(db);
  const defaults = {
    CSRF_SECRET: 'x'.repeat(32),
    PUBLIC_URL: new URL('http://localhost'),
    RATE_LIMIT: 10_000,
    TRUSTED_PROXIES: [],
  };
  const mails: Mail[] = [];
  const app = createApp({ ...defaults, ...settings }, db, async (mail) => void mails.push(mail));
  const browser = () => browserOf(app);
  return {
    app,
    db,
    mails,
    browser,
    async user(email = `${randomUUID()}@example.org`) {
      const client = await browser();
      await client.accounts.signUp({ email, password });
      return client;
    },
    async [Symbol.asyncDispose]() {
      await db.destroy();
      await drop();
    },
  };
}

/** Calls the app directly, without a network. As in a browser, the first answer brings the token against CSRF. */
async function browserOf(app: App): Promise<FwRpcClient> {
  const cookies = new Map((await new TestClient(app).get('/health')).headers.getSetCookie().map(pair));
  const send = async (url: string, init: RequestInit) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const token = cookies.get('csrf') ?? '';
    const headers = { ...(init.headers as Record<string, string>), cookie, 'X-CSRF-Token': token };
    const response = await app.fetch(new Request(url, { ...init, headers }));
    for (const [name, value] of response.headers.getSetCookie().map(pair)) cookies.set(name, value);
    return response;
  };
  return new FwRpcClient('http://localhost/rpc', {
    async fetch(url, { signal, ...init }) {
      const response = await send(url, init);
      // The token belongs to the session, which may have ended.
      return response.status === 403 ? send(url, init) : response;
    },
  });
}

function pair(setCookie: string): [name: string, value: string] {
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(setCookie) ?? [];
  return [name, value];
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
