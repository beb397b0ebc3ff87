// Starts the server. On Ctrl+C or SIGTERM it finishes the requests in flight, then exits.
import './log.ts';
import { shutdownSignal } from 'fw';
import { app } from './app.ts';

const { HOST = '127.0.0.1', PORT = '3000' } = process.env;

await app.listenWithShutdown(`${HOST}:${PORT}`, shutdownSignal());
