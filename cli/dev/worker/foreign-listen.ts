// Servers of threads and child processes on the port of `fw dev`, which takes its connections to the main thread alone.
import type { AppError, BoundAddress } from '../../process/messages.js';

/** How deep the cause of an error is looked at. */
const DEPTH = 4;

/** How the module for child processes begins. */
const MARK = 'data:text/javascript,/*fw*/';

function sentence(port: number, where: string): string {
  return `fw dev listens on port ${port} itself, and passes its connections to the server that the app opens in the main thread of its own process: ${where} cannot listen there`;
}

/** Adds why a server of a worker thread could not listen: the main thread never gets this error. */
export function explainListen(described: AppError, error: unknown, { port }: BoundAddress): AppError {
  if (!isInUse(error, port)) return described;
  const why = sentence(port, 'a worker thread');
  return { ...described, details: described.details ? `${why}\n${described.details}` : why };
}

function isInUse(error: unknown, port: number, level = 0): boolean {
  if (typeof error !== 'object' || error === null || level > DEPTH) return false;
  const { code, port: its, cause } = error as { code?: unknown; port?: unknown; cause?: unknown };
  return (code === 'EADDRINUSE' && its === port) || isInUse(cause, port, level + 1);
}

/** A module that says the same in a child process, before the error that the process gets. */
export function childPreload({ port }: BoundAddress): string {
  const code = `
    import net from 'node:net';
    process.execArgv = process.execArgv.filter((flag) => !flag.startsWith('--import=${MARK}'));
    const { emit } = net.Server.prototype;
    net.Server.prototype.emit = function (event, error, ...rest) {
      if (event === 'error' && error?.code === 'EADDRINUSE' && error.port === ${port})
        process.stderr.write(${JSON.stringify(`${sentence(port, 'a child process')}
`)});
      return emit.call(this, event, error, ...rest);
    };`;
  return MARK + encodeURIComponent(code);
}
