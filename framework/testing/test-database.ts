// Testing: an empty database for each test, on a server or in memory.
import { randomUUID } from 'node:crypto';
import { ConfigError } from '../config-error.js';
import { readDatabaseUrl } from '../sql/database-url.js';
import { missingDriver } from '../sql/load-driver.js';

/** An empty database, which `testDatabase` has made. */
export interface TestDatabase extends AsyncDisposable {
  /** Names it: for `kyselyFromUrl`, `drizzleFromUrl`, a driver, or `DATABASE_URL` of another process. */
  readonly url: string;
  /** Removes it, and ends connections that are still open. Once is enough; more do nothing. */
  drop(): Promise<void>;
}

/** How long a server may take to accept a connection, in milliseconds. */
const PATIENCE = 30_000;

/**
 * Makes an empty database that no other test sees.
 *
 * ```ts
 * await using database = await testDatabase(process.env.TEST_DATABASE_URL);
 * const db = await kyselyFromUrl<Database>(database.url);
 * ```
 *
 * @param server The URL of any database of a server of PostgreSQL 13 or newer, MySQL or MariaDB, whose user may make
 * databases. Without one, or if it is an empty text, the database is one of SQLite in memory: its URL is `:memory:`.
 * @throws ConfigError if the URL is not one of a server, or the package of the driver is not installed
 * @throws Error with the reason if the server cannot be reached, or refuses
 */
export async function testDatabase(server = ''): Promise<TestDatabase> {
  if (server === '') return testDatabaseOf(':memory:', async () => {});
  const { engine, location } = readDatabaseUrl(WHO, server);
  if (engine === 'sqlite') {
    throw new ConfigError(
      'FW_DATABASE_URL',
      `${WHO}: got the URL of a file; give that of a server, such as postgres://user:password@host/database, or nothing for SQLite in memory`,
    );
  }
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const isPostgres = engine === 'postgres';
  const run = isPostgres ? runOnPostgres : runOnMysql;
  await run(location, [
    `create database ${name}`,
    // Nothing waits for the disk: a test does not outlive the server's power.
    ...(isPostgres ? [`alter database ${name} set synchronous_commit = off`] : []),
  ]);
  const url = Object.assign(new URL(location), { pathname: `/${name}` }).href;
  return testDatabaseOf(url, () =>
    run(location, [`drop database ${name}${isPostgres ? ' with (force)' : ''}`]),
  );
}

const WHO = 'testDatabase';

function testDatabaseOf(url: string, remove: () => Promise<void>): TestDatabase {
  let removed: Promise<void> | undefined;
  const drop = (): Promise<void> => (removed ??= remove());
  return { url, drop, [Symbol.asyncDispose]: drop };
}

async function runOnPostgres(url: string, statements: readonly string[]): Promise<void> {
  const { default: pg } = await import('pg').catch(missingDriver(WHO, 'pg@8'));
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: PATIENCE });
  try {
    await client.connect();
    for (const statement of statements) await client.query(statement);
  } catch (cause) {
    throw refused(url, cause);
  } finally {
    await client.end();
  }
}

async function runOnMysql(url: string, statements: readonly string[]): Promise<void> {
  const { createConnection } = await import('mysql2/promise').catch(missingDriver(WHO, 'mysql2@3'));
  try {
    const connection = await createConnection({ uri: url, connectTimeout: PATIENCE });
    try {
      for (const statement of statements) await connection.query(statement);
    } finally {
      await connection.end();
    }
  } catch (cause) {
    throw refused(url, cause);
  }
}

/** Names the server, and neither its user nor the password. */
function refused(url: string, cause: unknown): Error {
  const { message, code } = cause as NodeJS.ErrnoException;
  return new Error(
    `${WHO}: the server ${new URL(url).host} did not make or drop a test database: ${message || code}`,
    { cause },
  );
}
