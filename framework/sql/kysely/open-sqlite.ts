// Kysely: opens a file of SQLite for a server.
import { setTimeout as wait } from 'node:timers/promises';
import type { SqliteDatabase } from 'kysely';

/** The class of the package `libsql`, whose interface is that of better-sqlite3. */
type DatabaseClass = typeof import('libsql');

/** How often the change of the journal's mode is tried: it fails at once while another process has the lock. */
const TRIES = 100;
const RETRY_MS = 50;

export async function openSqlite(
  Database: DatabaseClass,
  path: string,
  lockTimeoutMs: number,
): Promise<SqliteDatabase> {
  const database = new Database(path, { timeout: lockTimeoutMs });
  database.exec('PRAGMA foreign_keys = ON');
  for (let tries = 1; ; tries++) {
    try {
      // Readers and a writer do not wait for each other. The mode stays in the file.
      database.exec('PRAGMA journal_mode = WAL');
      return database as unknown as SqliteDatabase;
    } catch (error) {
      if (tries === TRIES || (error as { code?: unknown }).code !== 'SQLITE_BUSY') throw error;
      await wait(RETRY_MS);
    }
  }
}
