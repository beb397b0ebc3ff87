// Starts the server. On Ctrl+C or SIGTERM it finishes the requests in flight, then exits.
import './log.ts';
import { shutdownSignal } from 'fw';
import { createApp } from './app.ts';
import { databaseOrExit } from './database/database.ts';
import { envOrExit } from './env.ts';

const env = envOrExit();
const db = await databaseOrExit(env.DATABASE_URL);

await createApp(env, db).listenWithShutdown(`${env.HOST}:${env.PORT}`, shutdownSignal());
