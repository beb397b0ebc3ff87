// Intercepts the app's first `listen`: its server gets the connections of the supervisor's port.
import { randomBytes } from 'node:crypto';
import { unlinkSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BoundAddress } from '../../process/messages.js';

interface ListenTarget {
  port: number;
  done: (() => void) | undefined;
}

const listen = net.Server.prototype.listen;
const retryFor = 3000;

/**
 * Patches `net.Server.prototype.listen`. The first call with a port is claimed: the server listens on a
 * private pipe (so that its timeouts and `close` work), reports the supervisor's address, and `onClaimed` is called.
 * Calls with the same port are the same service on another address, and listen on a pipe too. Port 0, paths and
 * descriptors are not changed. Other ports are opened as usual, but wait until the older worker, which is about
 * to exit, has closed them.
 * @param isReplacing whether there may be such a worker, when the app listens
 */
export function claimListen(
  address: BoundAddress,
  isReplacing: () => boolean,
  onClaimed: (server: net.Server) => void,
): void {
  let claimedPort: number | undefined;
  let primary: net.Server | undefined;

  net.Server.prototype.listen = function listenUnderDev(this: net.Server, ...args: unknown[]): net.Server {
    const target = fixedPort(args);
    if (!target) return listen.apply(this, args as never);
    if (claimedPort !== undefined && target.port !== claimedPort) {
      return isReplacing() ? listenWhenFree(this, target.port, args) : listen.apply(this, args as never);
    }
    const first = primary === undefined || !primary.listening;
    claimedPort = target.port;
    if (first) primary = this;
    listenOnPipe(this, target, address, () => {
      if (first) onClaimed(this);
    });
    return this;
  } as typeof listen;
}

function listenOnPipe(
  server: net.Server,
  target: ListenTarget,
  address: BoundAddress,
  then: () => void,
): void {
  const path = privatePipe();
  if (target.done) server.once('listening', target.done);
  server.once('listening', then);
  server.address = () => ({ ...address });
  listen.call(server, { path, exclusive: true });
  // It is bound now, unless it failed. The app may end the process before the event.
  if (server.listening && process.platform !== 'win32') unlinkSync(path);
}

/**
 * A name that no other process uses; on Unix a socket file, which is unlinked when it is bound. It is random, because
 * a process that is killed in between leaves the file, and a later process may have the same id.
 */
function privatePipe(): string {
  const name = `fw-dev-${process.pid}-${randomBytes(8).toString('hex')}`;
  return process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : join(tmpdir(), `${name}.sock`);
}

/** The port in the arguments of `listen`; undefined for port 0, paths, handles and descriptors. */
export function fixedPort(args: unknown[]): ListenTarget | undefined {
  const done = args.findLast((value) => typeof value === 'function') as (() => void) | undefined;
  const [first] = args;
  const options =
    typeof first === 'object' && first !== null ? (first as Record<string, unknown>) : { port: first };
  if (options.path !== undefined || options.fd !== undefined || options._handle !== undefined)
    return undefined;
  const named = options.port;
  if (typeof named !== 'number' && !(typeof named === 'string' && /^\s*\d+\s*$/.test(named)))
    return undefined;
  const port = Number(named);
  // For a port out of range, Node throws its own error.
  return Number.isInteger(port) && port > 0 && port < 65536 ? { port, done } : undefined;
}

function listenWhenFree(server: net.Server, port: number, args: unknown[]): net.Server {
  const deadline = Date.now() + retryFor;
  const attempt = (): void => {
    const probe = net.createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE' && Date.now() < deadline) setTimeout(attempt, 15);
      else listen.apply(server, args as never);
    });
    probe.once('listening', () => probe.close(() => listen.apply(server, args as never)));
    listen.call(probe, { port, host: hostOf(args), exclusive: true });
  };
  attempt();
  return server;
}

function hostOf(args: unknown[]): string | undefined {
  const [first, second] = args;
  if (typeof first === 'object' && first !== null) return (first as { host?: string }).host;
  return typeof second === 'string' ? second : undefined;
}
