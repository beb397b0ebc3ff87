// Starts the server. On Ctrl+C or SIGTERM it answers what it has begun, then exits.
import { shutdownSignal } from 'fw';
import { app } from './app.ts';

const { HOST = '127.0.0.1', PORT = '3000' } = process.env;

await app.listenWithShutdown(`${HOST}:${PORT}`, shutdownSignal());
