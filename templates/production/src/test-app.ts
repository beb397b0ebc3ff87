// For tests: the app with an empty database of its own, in memory, and everything else in memory too. With
// TEST_DATABASE_URL, a server of PostgreSQL, and TEST_REDIS_URL each gets a new database and names of its own there.
import { randomUUID } from 'node:crypto';
import type { App } from 'fw';
import { kyselyFromUrl } from 'fw/kysely';
import { TestClient } from 'fw/testing';
import { log } from 'fw/tracing';
import { sql } from 'kysely';
import { createClient } from 'redis';
import { createApp } from './app.ts';
import { tokenFor, tokens } from './auth/auth.ts';
import { type Db, migrate, openDatabase } from './database/database.ts';
import { type Env, readEnv } from './env.ts';
import { queueOf } from './jobs/jobs.ts';
import type { Mail } from './mail.ts';
import { type Services, startServices } from './services.ts';

export interface TestApp extends AsyncDisposable {
  app: App;
  db: Db;
  services: Services;
  /** What was sent, the oldest first. */
  mails: Mail[];
  /** A client that is not signed in. */
  anyone: TestClient;
  /** A client of a new user. */
  user(email?: string): Promise<TestClient>;
}

/** The environment of tests. */
export function testEnv(settings: Partial<Env> = {}): Env {
  const secret = 'x'.repeat(32);
  return { ...readEnv({ JWT_SECRET: secret, CSRF_SECRET: secret, RATE_LIMIT: '10000' }), ...settings };
}

export async function testApp(settings: Partial<Env> = {}): Promise<TestApp> {
  const { url, drop } = await emptyDatabase();
  const db = await openDatabase(url);
  await migrate(db);
  const redis = process.env.TEST_REDIS_URL;
  const env = testEnv({ DATABASE_URL: url, ...settings, ...(redis && { REDIS_URL: redis }) });
  env.REDIS_PREFIX = `test-${randomUUID()}:`;
  const services = await startServices(env, db, queueOf(env, db, log), log);
  const mails: Mail[] = [];
  const app = await createApp(env, services, async (mail) => void mails.push(mail));
  const jwt = tokens(env.JWT_SECRET);
  const anyone = new TestClient(app, { origin: env.PUBLIC_URL.origin });
  return {
    app,
    db,
    services,
    mails,
    anyone,
    async user(email = `${randomUUID()}@example.org`) {
      // Without a password: hashing one takes longer than most tests.
      const user = { id: randomUUID(), email, passwordHash: '', createdAt: new Date().toISOString() };
      await db.insertInto('users').values(user).execute();
      const { token } = tokenFor(jwt, user.id);
      return new TestClient(app, { headers: { authorization: `Bearer ${token}` } });
    },
    async [Symbol.asyncDispose]() {
      await services.close();
      await db.destroy();
      await drop();
      if (redis !== undefined) await removeKeys(redis, env.REDIS_PREFIX);
    },
  };
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
