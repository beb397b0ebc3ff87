// `npm run migrate`: runs the migrations; with `help`, it prints what else it can do. In production: `node dist/migrate.js`.
import '../log.ts';
import { migrationCommand } from 'fw/kysely';
import { envOrExit } from '../env.ts';
import { makePrivate, migrationsOf, openDatabase } from './database.ts';

const url = envOrExit().DATABASE_URL;
makePrivate(url);
const db = await openDatabase(url);
process.exitCode = await migrationCommand(migrationsOf(db), process.argv.slice(2), {
  folder: 'src/database/migrations',
});
await db.destroy();
