// The database: its tables, and the connection. SQLite and PostgreSQL understand all queries of this app.
import { kyselyFromUrl, type Migrations, migrations } from 'fw/kysely';
import { CamelCasePlugin, type Kysely } from 'kysely';
import { migrations as all } from './migrations/index.ts';

// Columns are in snake_case, their properties in camelCase. Ids are UUIDs, and times are text in ISO 8601, which every
// database stores and sorts alike.
export interface Database {
  users: { id: string; email: string; passwordHash: string; createdAt: string };
  /** The links of those who have forgotten their passwords, by the SHA-256 of their secret. */
  passwordResets: { digest: string; userId: string; expiresAtMs: number };
  /** By the SHA-256 of the token. `usedAtMs` is null for the last one of a sign-in. */
  refreshTokens: {
    digest: string;
    signInId: string;
    userId: string;
    client: string;
    createdAtMs: number;
    usedAtMs: number | null;
    expiresAtMs: number;
  };
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

/** What has run of the migrations, and running them; see migrate.ts. */
export function migrationsOf(db: Db): Migrations {
  return migrations(db, all);
}
