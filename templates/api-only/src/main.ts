// Starts the server. On Ctrl+C or SIGTERM it finishes the requests in flight, then exits.
import './log.ts';
import { shutdownSignal } from 'fw';
import { log } from 'fw/tracing';
import { createApp } from './app.ts';
import { migrationsOf, openDatabase } from './database/database.ts';
import { envOrExit } from './env.ts';

const env = envOrExit();
const db = await openDatabase(env.DATABASE_URL);

const app = createApp(env, db).withMigrations(migrationsOf(db));

try {
  await app.listenWithShutdown(`${env.HOST}:${env.PORT}`, shutdownSignal());
} catch (err) {
  log.fatal({ err }, `the app cannot start: ${err instanceof Error ? err.message : err}`);
  process.exit(1);
}
