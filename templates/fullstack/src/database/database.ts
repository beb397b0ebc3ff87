// The database: its tables, and the connection. SQLite and PostgreSQL understand all queries of this app.
import { kyselyFromUrl, type Migrations, migrations } from 'fw/kysely';
import { CamelCasePlugin, type Kysely } from 'kysely';
import { migrations as all } from './migrations/index.ts';

// Columns are in snake_case, their properties in camelCase. Ids are UUIDs, and times are text in ISO 8601, which every
// database stores and sorts alike. `sessions` and `tokens` are not here: the stores of `fw/kysely` alone read them.
export interface Database {
  /** Accounts of a provider have no password: only the provider decides who signs in to them. */
  users: {
    id: string;
    email: string;
    emailConfirmedAt: string | null;
    passwordHash: string | null;
    createdAt: string;
  };
  lists: { id: string; ownerId: string; name: string; createdAt: string };
  /** A task belongs to the owner of its list. SQLite has no booleans: `isDone` is 0 or 1. */
  tasks: { id: string; listId: string; title: string; isDone: number; createdAt: string };
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
