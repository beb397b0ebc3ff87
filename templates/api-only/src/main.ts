// Starts the server. On Ctrl+C or SIGTERM it finishes the requests in flight, then exits.
import { shutdownSignal } from 'fw';
import { consoleSubscriber, subscribe } from 'fw/tracing';
import { createApp } from './app.ts';
import { databaseOrExit } from './database/database.ts';
import { envOrExit } from './env.ts';

const env = envOrExit();

// Prints what the app logs: lines for people on a terminal, JSON elsewhere.
subscribe(consoleSubscriber());

const db = await databaseOrExit(env.DATABASE_URL);

const { HOST, PORT } = env;
// `fw dev` prints the address itself.
if (process.env.NODE_ENV !== 'development') console.log(`Starting on http://${HOST}:${PORT}`);

await createApp(env, db).listenWithShutdown(`${HOST}:${PORT}`, shutdownSignal());
