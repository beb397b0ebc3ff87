import type { Kysely } from 'kysely';
import { registry } from '../registry.ts';

registry.push('users');

export async function up(database: Kysely<unknown>): Promise<void> {
  await database.schema.createTable('users').execute();
}
