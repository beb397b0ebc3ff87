import { createSessionTable, createTokenTable } from 'fw/kysely';
import type { Kysely } from 'kysely';

// The tables change later, so this handle has no types.
export async function up(db: Kysely<unknown>): Promise<void> {
  await createSessionTable(db, { references: 'users.id' });
  await createTokenTable(db, { references: 'users.id' });
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropTable('tokens').execute();
  await db.schema.dropTable('sessions').execute();
}
