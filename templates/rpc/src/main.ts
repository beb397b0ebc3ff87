// Starts the server. On Ctrl+C or SIGTERM it finishes the requests in flight, then exits.
import { shutdownSignal } from 'fw';
import { app } from './app.ts';

const { HOST = '127.0.0.1', PORT = '3000', NODE_ENV } = process.env;

// `fw dev` prints the address itself.
if (NODE_ENV !== 'development') console.log(`Starting on http://${HOST}:${PORT}`);

await app.listenWithShutdown(`${HOST}:${PORT}`, shutdownSignal());
