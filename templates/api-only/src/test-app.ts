// For tests: the app with an empty database of its own, in memory. With TEST_DATABASE_URL, a server of PostgreSQL, each
// gets a new database there.
import { randomUUID } from 'node:crypto';
import type { App } from 'fw';
import { mailer } from 'fw/mail';
import { hashPassword } from 'fw/password';
import { TestClient, TestMailbox, testDatabase } from 'fw/testing';
import { createApp, type Settings } from './app.ts';
import { tokenFor, tokens } from './auth/auth.ts';
import { refreshTokens } from './auth/refresh-tokens.ts';
import { type Db, migrationsOf, openDatabase } from './database/database.ts';

// Hashes of passwords take a hundredth of the time; apps that are not in tests or development refuse that.
process.env.FW_PASSWORD_COST = '10';

const password = 'correct horse battery';

export interface TestApp extends AsyncDisposable {
  app: App;
  db: Db;
  /** What was sent. */
  mailbox: TestMailbox;
  /** A client that is not signed in. */
  anyone: TestClient;
  /** A client of a new user. */
  user(email?: string): Promise<TestClient>;
  /** The header fields of a new user, whose password is `password`. */
  bearer(): Promise<{ authorization: string }>;
}

export async function testApp(settings: Partial<Settings> = {}): Promise<TestApp> {
  const { url, drop } = await testDatabase(process.env.TEST_DATABASE_URL);
  const db = await openDatabase(url);
  await migrationsOf(db).up();
  const secret = 'x'.repeat(32);
  const defaults = {
    DOCS: true,
    JWT_SECRET: secret,
    MAIL_FROM: 'app@localhost',
    RATE_LIMIT: 10_000,
    RESET_PAGE: new URL('http://localhost/reset'),
    TRUSTED_PROXIES: [],
  };
  const mailbox = new TestMailbox();
  const mail = mailer({ from: 'app@localhost', transport: mailbox.transport });
  const app = createApp({ ...defaults, ...settings }, db, mail);
  const jwt = tokens(secret);
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
    mailbox,
    anyone,
    // Without a password: hashing one takes longer than most tests.
    user: async (email) => new TestClient(app, { headers: await headersOf(email) }),
    bearer: async () => headersOf(undefined, await hashPassword(password)),
    async [Symbol.asyncDispose]() {
      await db.destroy();
      await drop();
    },
  };
}
