// `npm run migrate`: runs the migrations without starting the app, which runs them at its start too.
import { migrate, openDatabase } from './database.ts';
import { envOrExit } from './env.ts';

const db = await openDatabase(envOrExit().DATABASE_URL);
const names = await migrate(db);
console.log(names.length === 0 ? 'The database is up to date' : `Migrated ${names.join(', ')}`);
await db.destroy();
