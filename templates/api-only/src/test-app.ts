// For tests: the app with an empty database of its own, in memory. With TEST_DATABASE_URL, a server of PostgreSQL, each
// gets a new database there.
import { randomUUID } from 'node:crypto';
import type { App } from 'fw';
import { kyselyFromUrl } from 'fw/kysely';
import { type MailTransport, mailer } from 'fw/mail';
import { hashPassword } from 'fw/password';
import { TestClient } from 'fw/testing';
import { sql } from 'kysely';
import { createApp, type Settings } from './app.ts';
import { tokenFor, tokens } from './auth/auth.ts';
import { type Db, migrationsOf, openDatabase } from './database/database.ts';

// Hashes of passwords take a hundredth of the time; apps that are not in tests or development refuse that.
process.env.FW_PASSWORD_COST = '10';

const password = 'correct horse battery';

/** What was sent. */
interface Mail {
  to: string;
  subject: string;
  text: string;
}

export interface TestApp extends AsyncDisposable {
  app: App;
  db: Db;
  /** What was sent, the oldest first. */
  mails: Mail[];
  /** A client that is not signed in. */
  anyone: TestClient;
  /** A client of a new user. */
  user(email?: string): Promise<TestClient>;
  /** The header fields of a new user, whose password is `password`. */
  bearer(): Promise<{ authorization: string }>;
}

export async function testApp(settings: Partial<Settings> = {}): Promise<TestApp> {
  const { url, drop } = await emptyDatabase();
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
  const mails: Mail[] = [];
  const sendMail: MailTransport['sendMail'] = async ({ to, subject, text }) => {
    mails.push({ to: to[0]?.address ?? '', subject, text });
  };
  const mail = mailer({ from: 'app@localhost', transport: { sendMail } });
  const app = createApp({ ...defaults, ...settings }, db, mail);
  const jwt = tokens(secret);
  const anyone = new TestClient(app);
  const headersOf = async (email = `${randomUUID()}@example.org`, passwordHash = '') => {
    const user = { id: randomUUID(), email, passwordHash, createdAt: new Date().toISOString() };
    await db.insertInto('users').values(user).execute();
    await db.insertInto('refreshTokens').values(signInOf(user.id)).execute();
    return { authorization: `Bearer ${tokenFor(jwt, user.id).token}` };
  };
  return {
    app,
    db,
    mails,
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

/** As if the user had signed in. */
function signInOf(userId: string) {
  const createdAtMs = Date.now();
  const times = { createdAtMs, usedAtMs: null, expiresAtMs: createdAtMs + 86_400_000 };
  return { digest: randomUUID(), signInId: randomUUID(), userId, client: 'a test', ...times };
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
