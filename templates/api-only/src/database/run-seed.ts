// `npm run seed`: fills the database with data for development.
import '../log.ts';
import { log } from 'fw/tracing';
import { envOrExit } from '../env.ts';
import { migrationsOf, openDatabase } from './database.ts';
import { seed } from './seed.ts';

const db = await openDatabase(envOrExit().DATABASE_URL);
try {
  await migrationsOf(db).up();
  await seed(db);
} catch (err) {
  log.fatal({ err }, 'the database was not filled');
  process.exitCode = 1;
}
await db.destroy();
