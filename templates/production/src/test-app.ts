// For tests: the app with an empty database of its own, in memory, and everything else in memory too. With
// TEST_DATABASE_URL, a server of PostgreSQL, and TEST_REDIS_URL each gets a new database and names of its own there.
import { randomUUID } from 'node:crypto';
import type { App } from 'fw';
import { mailer } from 'fw/mail';
import { hashPassword } from 'fw/password';
import { TestClient, TestMailbox, testDatabase } from 'fw/testing';
import { createClient } from 'redis';
import { createApp } from './app.ts';
import { tokenFor, tokens } from './auth/auth.ts';
import { refreshTokens } from './auth/refresh-tokens.ts';
import { type Db, migrationsOf, openDatabase } from './database/database.ts';
import { type Env, readEnv } from './env.ts';
import { makeServices, type Services } from './services.ts';
import { Telemetry } from './telemetry.ts';

// Hashes of passwords take a hundredth of the time; apps that are not in tests or development refuse that.
process.env.FW_PASSWORD_COST = '10';

const password = 'correct horse battery';

export interface TestApp extends AsyncDisposable {
  app: App;
  db: Db;
  services: Services;
  /** What was sent. */
  mailbox: TestMailbox;
  /** A client that is not signed in. */
  anyone: TestClient;
  /** A client of a new user. */
  user(email?: string): Promise<TestClient>;
  /** The header fields of a new user, whose password is `password`. */
  bearer(): Promise<{ authorization: string }>;
}

/** The environment of tests. */
function testEnv(settings: Partial<Env> = {}): Env {
  const RESET_PAGE = 'http://localhost/reset';
  const variables = { JWT_SECRET: 'x'.repeat(32), DOCS: 'true', RATE_LIMIT: '10000', RESET_PAGE };
  return { ...readEnv(variables), ...settings };
}

export async function testApp(settings: Partial<Env> = {}): Promise<TestApp> {
  const { url, drop } = await testDatabase(process.env.TEST_DATABASE_URL);
  const db = await openDatabase(url);
  await migrationsOf(db).up();
  const redis = process.env.TEST_REDIS_URL;
  const env = testEnv({ DATABASE_URL: url, ...settings, ...(redis && { REDIS_URL: redis }) });
  env.REDIS_PREFIX = `test-${randomUUID()}:`;
  const mailbox = new TestMailbox();
  const mail = mailer({ from: 'app@localhost', transport: mailbox.transport });
  const services = makeServices(env, db, new Telemetry(env), mail);
  await services.start();
  const app = createApp(env, services);
  const jwt = tokens(env.JWT_SECRET);
  const anyone = new TestClient(app);
  const headersOf = async (email = `${randomUUID()}@example.org`, passwordHash = '') => {
    const user = { id: randomUUID(), email, passwordHash, createdAt: new Date().toISOString() };
    await db.insertInto('users').values(user).execute();
    await refreshTokens(db).issue(user.id);
    return { authorization: `Bearer ${tokenFor(jwt, user.id).token}` };
  };
  return {
    app,
    db,
    services,
    mailbox,
    anyone,
    // Without a password: hashing one takes longer than most tests.
    user: async (email) => new TestClient(app, { headers: await headersOf(email) }),
    bearer: async () => headersOf(undefined, await hashPassword(password)),
    async [Symbol.asyncDispose]() {
      await services.close();
      await db.destroy();
      await drop();
      if (redis !== undefined) await removeKeys(redis, env.REDIS_PREFIX);
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
