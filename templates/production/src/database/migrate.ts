// `npm run migrate`: runs the migrations; with `help`, it prints what else it can do. In production: `node dist/migrate.js`.
import '../log.ts';
import { type Migrations, migrationCommand } from 'fw/kysely';
import { envOrExit } from '../env.ts';
import type { Db } from './database.ts';
import { seed } from './seed.ts';

let db = undefined as Db | undefined;

// `new`, `index` and `help` do not call this: an index with the conflict of a merge cannot be imported, and `index` repairs it.
async function open(): Promise<Migrations> {
  const { migrationsOf, openDatabase } = await import('./database.ts');
  db = await openDatabase(envOrExit().DATABASE_URL);
  return migrationsOf(db);
}

process.exitCode = await migrationCommand(open, process.argv.slice(2), {
  folder: 'src/database/migrations',
  seed: () => db && seed(db),
});
await db?.destroy();
