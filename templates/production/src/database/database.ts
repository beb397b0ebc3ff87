// The database: its tables, and the connection. SQLite and PostgreSQL understand all queries of this app.
import { kyselyFromUrl, type Migrations, migrations } from 'fw/kysely';
import { CamelCasePlugin, type Kysely } from 'kysely';
import { migrations as all } from './migrations/index.ts';

// Columns are in snake_case, their properties in camelCase. Ids are UUIDs, and times are text in ISO 8601, which every
// database stores and sorts alike. `tokens` is not here: `SqlTokenStore` of `fw/kysely` alone reads it.
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

/** What has run of the migrations, and running them; see migrate.ts. */
export function migrationsOf(db: Db): Migrations {
  return migrations(db, all);
}
