// The database: its tables, and the connection. SQLite and PostgreSQL understand all queries of this app.
import { closeSync, openSync } from 'node:fs';
import { kyselyFromUrl, migrateToLatest } from 'fw/kysely';
import { log } from 'fw/tracing';
import { CamelCasePlugin, type Kysely } from 'kysely';
import { migrations } from './migrations.ts';

// Columns are in snake_case, their properties in camelCase. Ids are UUIDs, and times are text in ISO 8601, which every
// database stores and sorts alike.
export interface Database {
  users: { id: string; email: string; passwordHash: string; createdAt: string };
  /** The links of those who have forgotten their passwords, by the SHA-256 of their secret. */
  passwordResets: { digest: string; userId: string; expiresAtMs: number };
  tasks: {
    id: string;
    ownerId: string;
    title: string;
    notes: string;
    status: 'open' | 'done';
    /** Counts the changes; the ETag of the task. */
    version: number;
    createdAt: string;
    updatedAt: string;
  };
  apiKeys: {
    id: string;
    ownerId: string;
    label: string;
    /** Only the digest of a key is stored: whoever reads the table cannot use the keys. */
    keyHash: string;
    /** Separated by spaces. */
    scopes: string;
    createdAt: string;
  };
}

export type Db = Kysely<Database>;

declare module 'fw' {
  // Types `ctx.db()` in handlers.
  interface Register {
    db: Db;
  }
}

/** Connects with the first query. A query that takes 200 ms or longer is logged. */
export function openDatabase(url: string): Promise<Db> {
  if (url.startsWith('file:')) makePrivate(url);
  return kyselyFromUrl<Database>(url, { slowQueryMs: 200, plugins: [new CamelCasePlugin()] });
}

/** Makes the file of SQLite, unless it exists, so that only its owner can read it. Its journals get the same rights. */
function makePrivate(url: string): void {
  const [path = ''] = url.replace(/^file:(?:\/\/(?=\/))?/, '').split('?');
  closeSync(openSync(decodeURIComponent(path), 'a', 0o600));
}

/** Runs the migrations that have not run yet, and returns their names. Several processes may do so at once. */
export function migrate(db: Db): Promise<readonly string[]> {
  return migrateToLatest(db, { migrations });
}

/** Opens the database and migrates it; if that fails, logs why and exits. */
export async function databaseOrExit(url: string): Promise<Db> {
  const db = await openDatabase(url);
  try {
    await migrate(db);
    return db;
  } catch (error) {
    log.fatal(`${explained(error)}; check DATABASE_URL, and that the database is there`);
    process.exit(1);
  }
}

/** What failed, and why: the message of the error and that of its first cause. */
function explained(error: unknown): string {
  let cause = error;
  while (cause instanceof Error && cause.cause instanceof Error) cause = cause.cause;
  const what = messageOf(error);
  const why = messageOf(cause);
  return what.includes(why) ? what : `${what}: ${why}`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
