// Starts the server. On Ctrl+C or SIGTERM it finishes the requests in flight, then exits.
import { shutdownSignal } from 'fw';
import { consoleSubscriber, subscribe } from 'fw/tracing';
import { createApp } from './app.ts';
import { databaseOrExit } from './database/database.ts';
import { envOrExit } from './env.ts';

const env = envOrExit();
const isDevelopment = process.env.NODE_ENV === 'development';

// Prints what the app logs: lines for people on a terminal, JSON elsewhere.
subscribe(consoleSubscriber());

const db = await databaseOrExit(env.DATABASE_URL);
const app = createApp(env, db);

// What `npm run build` has made of web/. The names of these files change with their content, so browsers keep them.
if (!isDevelopment) {
  app.serveStatic('/assets', 'dist/web/assets', { cacheControl: 'public, max-age=31536000, immutable' });
}
// Every other path is the page, which has routes of its own. Under `fw dev`, Vite answers for it.
app.serveSpa('dist/web', 'index.html');

const { HOST, PORT } = env;
// `fw dev` prints the address itself.
if (!isDevelopment) console.log(`Starting on http://${HOST}:${PORT}`);

await app.listenWithShutdown(`${HOST}:${PORT}`, shutdownSignal());
