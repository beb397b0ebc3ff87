// Servers on a private pipe in place of their port, and the way from there to their own port.
import { randomBytes } from 'node:crypto';
import { unlinkSync } from 'node:fs';
import net from 'node:net';
import { join } from 'node:path';
import { socketFolder } from '../../files/socket-folder.js';
import type { BoundAddress } from '../../process/messages.js';

/** What Node itself does. */
const listen = net.Server.prototype.listen;
/** Between two looks whether a port is free, in milliseconds. */
const PAUSE = 15;

/** One call of `listen` with a port. */
export interface ListenCall {
  readonly server: net.Server;
  readonly args: unknown[];
  readonly port: number;
  readonly host: string | undefined;
  readonly done: (() => void) | undefined;
}

/** The part of a server that Node has no public API for: the socket on which it listens. */
interface Listening {
  _handle: { close(): void } | null;
}

/**
 * Makes the server listen on a pipe, so that its timeouts and `close` work, and report the given address.
 * @param then called after the callback of the app
 */
export function listenOnPipe({ server, done }: ListenCall, address: BoundAddress, then: () => void): void {
  const path = privatePipe();
  if (done) server.once('listening', done);
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
  const socket = `${name}.sock`;
  return process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : join(socketFolder(socket), socket);
}

/** Opens the port when it is free. @param isWaiting false as soon as nobody is left who will close it */
export function listenWhenFree(call: ListenCall, isWaiting: () => boolean): void {
  whenFree(call, isWaiting, () => listen.apply(call.server, call.args as never));
}

/**
 * Moves a server from its pipe to the port that it asked for, when that is free. The app has heard `listening`.
 * @param isWanted false if the port belongs to the next process by then
 */
export function moveToOwnPort(call: ListenCall, isWaiting: () => boolean, isWanted: () => boolean): void {
  whenFree(call, isWaiting, () => {
    const { server } = call;
    // The app may have closed it meanwhile.
    if (!server.listening || !isWanted()) return;
    const held = server as unknown as Listening;
    held._handle?.close();
    held._handle = null;
    delete (server as { address?: unknown }).address;
    listenSilently(server, withoutCallback(call.args));
  });
}

/** Closes the port for others, but leaves the server and its connections as they are, of which the app may hear. */
export function closePort(server: net.Server): void {
  const address = server.address();
  server.address = () => address;
  (server as unknown as Listening)._handle?.close();
}

function whenFree(call: ListenCall, isWaiting: () => boolean, then: () => void): void {
  if (!isWaiting()) {
    then();
    return;
  }
  const probe = net.createServer();
  probe.once('error', (error: NodeJS.ErrnoException) => {
    // Anything else is an error that the app gets from its own call.
    if (error.code === 'EADDRINUSE' && isWaiting()) setTimeout(() => whenFree(call, isWaiting, then), PAUSE);
    else then();
  });
  probe.once('listening', () => probe.close(then));
  listen.call(probe, { port: call.port, host: call.host, exclusive: true });
}

function listenSilently(server: net.Server, args: unknown[]): void {
  const own = Object.getOwnPropertyDescriptor(server, 'emit');
  const { emit } = server;
  server.emit = function emitUnlessListening(event: string | symbol, ...rest: unknown[]): boolean {
    const isOver = event === 'listening' || event === 'error' || event === 'close';
    if (isOver && own) Object.defineProperty(server, 'emit', own);
    else if (isOver) delete (server as { emit?: unknown }).emit;
    return event === 'listening' || (emit as (...args: unknown[]) => boolean).call(server, event, ...rest);
  };
  listen.apply(server, args as never);
}

function withoutCallback(args: unknown[]): unknown[] {
  return args.filter((arg) => typeof arg !== 'function');
}
