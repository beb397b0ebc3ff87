// Node: the error of a server that cannot start.
import { formatAddress, type HostPort, type SocketPath } from './address.js';

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is already in use; stop the process that uses it, or choose another port',
  EACCES: 'this user may not bind the port; choose one above 1023',
  EADDRNOTAVAIL: 'this machine has no such address; use 127.0.0.1, or 0.0.0.0 for all of them',
  ENOTFOUND: 'the host name is unknown; use an address of this machine',
};

const PATH_REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the path is already in use; stop the process that listens there, or choose another path',
  // Node gives this code for a missing folder too.
  EACCES: 'the folder does not exist, or this user may not write to it',
};

/** Such as of an app whose `app.ts` calls `listen` as well as its `main.ts`. */
const OWN =
  'the port is already in use; this process listens on it: call listen once, or choose another port';

/** Ports that servers of this process listen on. */
const own = new Set<number>();

/** Notes that a server of this process listens. @returns notes that it does not any more */
export function noteListening(port: number): () => void {
  own.add(port);
  return () => own.delete(port);
}

/** Hyper-V, WSL and Docker reserve ranges of ports on Windows, where all users may bind others. */
const RESERVED = 'the port is reserved by Windows, or another program has it for itself; choose another one';

/**
 * The error that `listen` rejects with: its message names the address, the reason and the remedy, and its `code` is
 * that of node:net. It has no stack, which would only show internals of node:net: if nothing catches the error, Node
 * prints only the message.
 */
export function startError(
  cause: NodeJS.ErrnoException,
  wanted: HostPort | SocketPath,
  platform: NodeJS.Platform = process.platform,
): Error {
  const reasons = 'path' in wanted ? PATH_REASONS : REASONS;
  const isReserved = reasons === REASONS && cause.code === 'EACCES' && platform === 'win32';
  const isOwn = 'port' in wanted && cause.code === 'EADDRINUSE' && own.has(wanted.port);
  if (isOwn) return refused(cause, wanted, OWN);
  const reason = isReserved ? RESERVED : (reasons[cause.code ?? ''] ?? cause.message);
  return refused(cause, wanted, reason);
}

function refused(cause: NodeJS.ErrnoException, wanted: HostPort | SocketPath, reason: string): Error {
  const error = new Error(`cannot listen on ${formatAddress(wanted)}: ${reason}`);
  error.stack = `Error: ${error.message}`;
  Object.defineProperty(error, 'code', { value: cause.code });
  return error;
}
