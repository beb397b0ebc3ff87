// One of several processes that migrate a database at once: `migrate-process.ts toolkit url folder`.
import { setTimeout as wait } from 'node:timers/promises';
import { drizzle as mysqlDrizzle } from 'drizzle-orm/mysql2';
import { drizzle as postgresDrizzle } from 'drizzle-orm/node-postgres';
import { sql } from 'kysely';
import { createPool } from 'mysql2';
import pg from 'pg';
import { drizzleFromUrl, migrateToLatest as migrateDrizzle } from '../sql/drizzle/index.js';
import { closeClient } from '../sql/handles.js';
import { kyselyFromUrl, type Migration, migrateToLatest } from '../sql/kysely/index.js';

const [toolkit, url = '', migrationsFolder = ''] = process.argv.slice(2);

/** Not idempotent, and slow enough that the processes meet. */
const migrations: Record<string, Migration> = {
  '1-create': {
    async up(db) {
      await wait(200);
      await db.schema.createTable('steps').addColumn('step', 'integer').execute();
    },
  },
  '2-fill': {
    async up(db) {
      await wait(100);
      await sql`insert into steps (step) values (2)`.execute(db);
    },
  },
};

async function withKysely(): Promise<readonly string[]> {
  const db = await kyselyFromUrl(url);
  const ran = await migrateToLatest(db, { migrations });
  await db.destroy();
  return ran;
}

async function withDrizzle(): Promise<readonly string[]> {
  const db = await openDrizzle();
  const ran = await migrateDrizzle(db, { migrationsFolder });
  await closeClient(db.$client);
  return ran;
}

/** Also a database that the application makes itself. */
async function openDrizzle(): Promise<{ $client: object }> {
  if (url.startsWith('file:')) return (await drizzleFromUrl(url, { schema: {} })) as never;
  if (url.startsWith('postgres:')) return postgresDrizzle({ client: new pg.Pool({ connectionString: url }) });
  return mysqlDrizzle({ client: createPool(url) });
}

process.once('message', async () => {
  process.send?.(toolkit === 'kysely' ? await withKysely() : await withDrizzle());
  process.disconnect();
});
process.send?.('ready');
