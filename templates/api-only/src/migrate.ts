// `npm run migrate`: runs the migrations without starting the app, which runs them at its start too.
import { databaseOrExit } from './database.ts';
import { envOrExit } from './env.ts';

const db = await databaseOrExit(envOrExit().DATABASE_URL);
console.log('The database is up to date');
await db.destroy();
