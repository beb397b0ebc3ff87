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
  '2026-02-tasks': {
    async up(db: AnyDb) {
      await db.schema
        .createTable('tasks')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('owner_id', 'text', (column) =>
          column.notNull().references('users.id').onDelete('cascade'),
        )
        .addColumn('title', 'text', (column) => column.notNull())
        .addColumn('notes', 'text', (column) => column.notNull())
        .addColumn('status', 'text', (column) => column.notNull())
        .addColumn('version', 'integer', (column) => column.notNull())
        .addColumn('created_at', 'text', (column) => column.notNull())
        .addColumn('updated_at', 'text', (column) => column.notNull())
        .execute();
      // The order of the list, so that each page is read from the index.
      await db.schema
        .createIndex('tasks_in_order')
        .on('tasks')
        .columns(['owner_id', 'created_at', 'id'])
        .execute();
    },
  },
  '2026-03-api-keys': {
    async up(db: AnyDb) {
      await db.schema
        .createTable('api_keys')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('owner_id', 'text', (column) =>
          column.notNull().references('users.id').onDelete('cascade'),
        )
        .addColumn('label', 'text', (column) => column.notNull())
        .addColumn('key_hash', 'text', (column) => column.notNull().unique())
        .addColumn('scopes', 'text', (column) => column.notNull())
        .addColumn('created_at', 'text', (column) => column.notNull())
        .execute();
      await db.schema.createIndex('api_keys_owner').on('api_keys').column('owner_id').execute();
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
