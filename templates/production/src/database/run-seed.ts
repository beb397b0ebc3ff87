// `npm run seed`: fills the database with data for development.
import '../log.ts';
import { log } from 'fw/tracing';
import { envOrExit } from '../env.ts';
import { makePrivate, migrationsOf, openDatabase } from './database.ts';
import { seed } from './seed.ts';

const url = envOrExit().DATABASE_URL;
makePrivate(url);
const db = await openDatabase(url);
try {
  await migrationsOf(db).up();
  await seed(db);
} catch (err) {
  log.fatal({ err }, 'the database was not filled');
  process.exitCode = 1;
}
await db.destroy();
