// The database: its tables, and the connection. SQLite and PostgreSQL understand all queries of this app.
import { kyselyFromUrl, migrateToLatest } from 'fw/kysely';
import { CamelCasePlugin, type Kysely } from 'kysely';
import { migrations } from './migrations.ts';

// Columns are in snake_case, their properties in camelCase. Ids are UUIDs, and times are text in ISO 8601, which every
// database stores and sorts alike.
export interface Database {
  users: { id: string; email: string; passwordHash: string; createdAt: string };
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
  return kyselyFromUrl<Database>(url, { slowQueryMs: 200, plugins: [new CamelCasePlugin()] });
}

/** Runs the migrations that have not run yet, and returns their names. Several processes may do so at once. */
export function migrate(db: Db): Promise<readonly string[]> {
  return migrateToLatest(db, { migrations });
}
