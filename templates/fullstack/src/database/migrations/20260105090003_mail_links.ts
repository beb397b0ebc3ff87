import type { Kysely } from 'kysely';

// The tables change later, so this handle has no types.
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('mail_links')
    .addColumn('digest', 'text', (column) => column.primaryKey())
    .addColumn('purpose', 'text', (column) => column.notNull())
    .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('email', 'text', (column) => column.notNull())
    .addColumn('expires_at_ms', 'double precision', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('mail_links_user').on('mail_links').column('user_id').execute();
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropTable('mail_links').execute();
}
