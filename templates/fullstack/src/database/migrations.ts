// The migrations, which run in the order of their names. Add new ones below; do not change those that have run.
import type { Kysely, Migration } from 'kysely';

// A migration must not depend on the tables as they are today, so its `db` has no types.
type AnyDb = Kysely<unknown>;

export const migrations: Record<string, Migration> = {
  '2026-01-users': {
    async up(db: AnyDb) {
      await db.schema
        .createTable('users')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('email', 'text', (column) => column.notNull().unique())
        .addColumn('password_hash', 'text', (column) => column.notNull())
        .addColumn('created_at', 'text', (column) => column.notNull())
        .execute();
    },
  },
  '2026-02-sessions': {
    async up(db: AnyDb) {
      await db.schema
        .createTable('sessions')
        .addColumn('key', 'text', (column) => column.primaryKey())
        .addColumn('user_id', 'text', (column) => column.references('users.id').onDelete('cascade'))
        .addColumn('scopes', 'text', (column) => column.notNull())
        .addColumn('label', 'text')
        .addColumn('data', 'text', (column) => column.notNull())
        .addColumn('created_at_ms', 'double precision', (column) => column.notNull())
        .addColumn('used_at_ms', 'double precision', (column) => column.notNull())
        .addColumn('expires_at_ms', 'double precision', (column) => column.notNull())
        .execute();
      await db.schema.createIndex('sessions_user').on('sessions').column('user_id').execute();
      await db.schema.createIndex('sessions_expiry').on('sessions').column('expires_at_ms').execute();
    },
  },
  '2026-03-lists': {
    async up(db: AnyDb) {
      await db.schema
        .createTable('lists')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('owner_id', 'text', (column) =>
          column.notNull().references('users.id').onDelete('cascade'),
        )
        .addColumn('name', 'text', (column) => column.notNull())
        .addColumn('created_at', 'text', (column) => column.notNull())
        .execute();
      await db.schema.createIndex('lists_in_order').on('lists').columns(['owner_id', 'created_at']).execute();
      await db.schema
        .createTable('tasks')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('list_id', 'text', (column) => column.notNull().references('lists.id').onDelete('cascade'))
        .addColumn('title', 'text', (column) => column.notNull())
        .addColumn('is_done', 'integer', (column) => column.notNull())
        .addColumn('created_at', 'text', (column) => column.notNull())
        .execute();
      await db.schema.createIndex('tasks_in_order').on('tasks').columns(['list_id', 'created_at']).execute();
    },
  },
  '2026-04-password-resets': {
    async up(db: AnyDb) {
      await db.schema
        .createTable('password_resets')
        .addColumn('digest', 'text', (column) => column.primaryKey())
        .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
        .addColumn('expires_at_ms', 'double precision', (column) => column.notNull())
        .execute();
      await db.schema.createIndex('password_resets_user').on('password_resets').column('user_id').execute();
    },
  },
};
