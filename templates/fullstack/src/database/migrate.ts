// `npm run migrate`: runs the migrations without starting the app, which runs them at its start too.

import { envOrExit } from '../env.ts';
import { databaseOrExit } from './database.ts';

const db = await databaseOrExit(envOrExit().DATABASE_URL);
console.log('The database is up to date');
await db.destroy();
