// Makes a waiting process open a database in memory, migrate it and ask it, before the app opens its own.
import type * as Kysely from 'kysely';
import type * as FwKysely from '../../../../framework/sql/kysely/index.js';
import type { Load } from '../../../process/load-packages.js';

/** Only if the app has used SQLite at its last start: its driver is loaded then. */
export async function touchDatabase(load: Load, loaded: readonly string[]): Promise<void> {
  const hasDriver = loaded.some((name) => name.startsWith('file:') && name.includes('/node_modules/libsql/'));
  if (!hasDriver || !loaded.includes('fw/kysely') || !loaded.includes('kysely')) return;
  const { kyselyFromUrl, migrateToLatest } = (await load('fw/kysely')) as typeof FwKysely;
  const { CamelCasePlugin } = (await load('kysely')) as typeof Kysely;
  const plugins = [new CamelCasePlugin()];
  const db = await kyselyFromUrl<{ touched: { id: string; madeAt: string } }>(':memory:', { plugins });
  try {
    await migrateToLatest(db, { migrations });
    await db.insertInto('touched').values({ id: 'a', madeAt: 'b' }).execute();
    await db.selectFrom('touched').selectAll().where('id', '=', 'a').execute();
  } finally {
    await db.destroy();
  }
}

const migrations: Record<string, Kysely.Migration> = {
  touched: {
    async up(db: Kysely.Kysely<unknown>) {
      await db.schema
        .createTable('touched')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('made_at', 'text', (column) => column.notNull())
        .execute();
    },
  },
};
