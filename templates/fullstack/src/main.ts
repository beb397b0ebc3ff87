// Starts the server. On Ctrl+C or SIGTERM it finishes the requests in flight, then exits.
import './log.ts';
import { shutdownSignal } from 'fw';
import { createApp } from './app.ts';
import { databaseOrExit } from './database/database.ts';
import { envOrExit } from './env.ts';

const env = envOrExit();
const isDevelopment = process.env.NODE_ENV === 'development';

const db = await databaseOrExit(env.DATABASE_URL);
const app = createApp(env, db);

// What `npm run build` has made of web/. The names of these files change with their content, so browsers keep them.
if (!isDevelopment) {
  app.serveStatic('/assets', 'dist/web/assets', { cacheControl: 'public, max-age=31536000, immutable' });
}
// Every other path is the page, which has routes of its own. Under `fw dev`, Vite answers for it.
app.serveSpa('dist/web', 'index.html');

await app.listenWithShutdown(`${env.HOST}:${env.PORT}`, shutdownSignal());
