import type { Kysely } from 'kysely';

// The tables change later, so this handle has no types.
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('refresh_tokens')
    .addColumn('digest', 'text', (column) => column.primaryKey())
    .addColumn('sign_in_id', 'text', (column) => column.notNull())
    .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('client', 'text', (column) => column.notNull())
    .addColumn('created_at_ms', 'double precision', (column) => column.notNull())
    .addColumn('used_at_ms', 'double precision')
    .addColumn('expires_at_ms', 'double precision', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('refresh_tokens_user').on('refresh_tokens').column('user_id').execute();
  await db.schema.createIndex('refresh_tokens_sign_in').on('refresh_tokens').column('sign_in_id').execute();
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropTable('refresh_tokens').execute();
}
