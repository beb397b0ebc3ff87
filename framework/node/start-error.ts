// Node: a server that cannot start says so in one message.
import { formatAddress, type HostPort } from './address.js';

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is already in use; stop the process that holds it, or choose another port',
  EACCES: 'this user may not bind the port; choose one above 1023',
  EADDRNOTAVAIL: 'this machine has no such address; use 127.0.0.1, or 0.0.0.0 for all of them',
  ENOTFOUND: 'the host name is unknown; use an address of this machine',
};

/** What `listen` rejects with: the address, the reason and the remedy; `code` and `cause` are node:net's. */
export function startError(cause: NodeJS.ErrnoException, wanted: HostPort): Error {
  const reason = REASONS[cause.code ?? ''] ?? cause.message;
  const error = new Error(`cannot listen on ${formatAddress(wanted)}: ${reason}`, { cause });
  Object.defineProperty(error, 'code', { value: cause.code });
  exitPlainly(error);
  return error;
}

/**
 * Where nobody catches the error, Node would print it with two stacks of its own insides. For the tick in
 * which that happens, the message alone is printed instead; the exit code is 1 all the same.
 */
function exitPlainly(error: Error): void {
  if (process.listenerCount('uncaughtException') > 0) return;
  const print = (uncaught: Error): void => {
    process.off('uncaughtException', print);
    if (uncaught !== error) throw uncaught;
    process.stderr.write(`error: ${error.message}\n`);
    process.exit(1);
  };
  process.on('uncaughtException', print);
  setImmediate(() => process.off('uncaughtException', print));
}
