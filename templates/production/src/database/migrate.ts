// `npm run migrate`: runs the migrations without starting the app, which runs them at its start too.

import '../log.ts';
import { log } from 'fw/tracing';
import { envOrExit } from '../env.ts';
import { databaseOrExit } from './database.ts';

const db = await databaseOrExit(envOrExit().DATABASE_URL);
log.info('the database is up to date');
await db.destroy();
