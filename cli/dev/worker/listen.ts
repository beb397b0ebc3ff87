// Intercepts `listen` of the app: the server on PORT gets the connections of `fw dev`, every other one its own port.
import { statSync } from 'node:fs';
import net from 'node:net';
import { getSystemErrorMap } from 'node:util';
import type { BoundAddress } from '../../process/messages.js';
import { closePort, type ListenCall, listenOnPipe, listenWhenFree, moveToOwnPort } from './own-port.js';

/** Between two looks whether the start is over, in milliseconds. */
const PAUSE = 10;
/** How long a server on PORT is waited for while another one listens, in milliseconds. */
const APP_TIMEOUT = 1000;
/** The same, if the app listened on PORT before. */
const USUAL_APP_TIMEOUT = 5000;

/** What stays open without leading to anything by itself: servers, standard streams, watchers. */
const passive: ReadonlySet<string> = new Set([
  'PipeWrap',
  'TTYWrap',
  'TCPServerWrap',
  'UDPWrap',
  'SignalWrap',
  'FSEventWrap',
  'StatWatcher',
]);

interface Place extends ListenCall {
  /** In place of its port. */
  isOnPipe: boolean;
}

export class AppServers {
  readonly #address: BoundAddress;
  readonly #onApp: (server: net.Server, port: number) => void;
  readonly #places = new Map<net.Server, Place>();
  /** Servers on Unix sockets, with the file of each. */
  readonly #paths = new Map<net.Server, { path: string; ino: number }>();
  readonly #watched = new WeakSet<net.Server>();
  #app: Place | undefined;
  #usual: number | undefined;
  #isReplacing = false;
  #isCurrent = false;
  #isDraining = false;
  #election: NodeJS.Timeout | undefined;
  /** The port on which `node:cluster` is about to listen. */
  #clusterPort: number | undefined;

  /**
   * Patches `net.Server.prototype.listen`.
   * - A server on the port of `fw dev` is the app: it listens on a private pipe and reports the supervisor's address.
   * - The first server on another port may be the app, if none comes on that of `fw dev`: it listens on a pipe until
   *   that is known, and then gets its own port.
   * - Other ports are opened as usual. While an older process may hold them, their servers listen on pipes until it
   *   has closed them.
   * Port 0, paths and descriptors are not changed.
   * @param onApp called with the server that gets the connections, and again whenever it is another one
   */
  constructor(address: BoundAddress, onApp: (server: net.Server, port: number) => void) {
    this.#address = address;
    this.#onApp = onApp;
    const listen = net.Server.prototype.listen;
    const servers = this;
    net.Server.prototype.listen = function listenUnderDev(this: net.Server, ...args: unknown[]): net.Server {
      // Node throws its own error.
      const target = this.listening ? undefined : fixedPort(args);
      if (target && target.port !== servers.#clusterPort) servers.#listen({ ...target, server: this, args });
      else {
        listen.apply(this, args as never);
        servers.#watchPath(this, args);
      }
      return this;
    } as typeof listen;
  }

  /**
   * @param isReplacing whether an older process may hold ports of the app
   * @param usual the port that the app named when it started before
   */
  start(isReplacing: boolean, usual: number | undefined): void {
    this.#isReplacing = isReplacing;
    this.#usual = usual;
  }

  /** The older process has been told to close its ports. */
  current(): void {
    this.#isCurrent = true;
    this.#openOwnPorts();
  }

  /** No older process is left. */
  alone(): void {
    this.#isReplacing = false;
  }

  /**
   * `node:cluster` listens for its workers, whose port is their own.
   * @param onAlone called if the app has no server in this process, so that it cannot be served
   */
  leaveToCluster(port: number, onAlone: () => void): void {
    if (port === this.#port) {
      onAlone();
      return;
    }
    this.#clusterPort = port;
    setImmediate(() => {
      this.#clusterPort = undefined;
    });
    setTimeout(() => {
      if (this.#app === undefined && this.#places.size === 0) onAlone();
    }, APP_TIMEOUT).unref();
  }

  /** Gives all ports and paths to the next process. Their open connections go on. */
  drain(): void {
    this.#isDraining = true;
    for (const { server, isOnPipe } of this.#places.values()) {
      if (server.listening && !isOnPipe) closePort(server);
    }
    for (const [server, { path, ino }] of this.#paths) {
      // Closing would remove the file of the next process.
      if (server.listening && inode(path) === ino) closePort(server);
    }
  }

  get #port(): number {
    return this.#address.port;
  }

  #listen(call: ListenCall): void {
    const { server, port } = call;
    if (port === this.#port && this.#isTaken(call)) {
      failInUse(call);
      return;
    }
    const place = { ...call, isOnPipe: this.#belongsOnPipe(port) };
    // In the order of the calls.
    this.#places.delete(server);
    this.#places.set(server, place);
    if (!this.#watched.has(server)) server.on('close', () => this.#closed(server));
    this.#watched.add(server);
    const opened = (): void => this.#opened(place);
    if (place.isOnPipe) listenOnPipe(place, this.#address, opened);
    else {
      server.once('listening', opened);
      listenWhenFree(place, () => this.#isReplacing);
    }
  }

  #belongsOnPipe(port: number): boolean {
    if (port === this.#port || this.#isDraining) return true;
    if (this.#app !== undefined && port === this.#app.port) return true;
    if (this.#isReplacing && !this.#isCurrent) return true;
    if (this.#app !== undefined || this.#onPort.length > 0) return false;
    const first = this.#candidates[0];
    return first === undefined || first.port === port;
  }

  /** True if another server of the app listens on the same address. */
  #isTaken({ server, host }: ListenCall): boolean {
    return this.#onPort.some((other) => other.server !== server && other.host === host);
  }

  get #onPort(): Place[] {
    return [...this.#places.values()].filter(({ port, server }) => port === this.#port && server.listening);
  }

  /** Those that may be the app if there is none on its port. */
  get #candidates(): Place[] {
    return [...this.#places.values()].filter(({ port, server }) => port !== this.#port && server.listening);
  }

  #opened(place: Place): void {
    // A program that looks for a free port closes its server at once.
    setImmediate(() => {
      if (this.#isDraining && !place.isOnPipe) closePort(place.server);
      if (!place.server.listening || this.#places.get(place.server) !== place) return;
      if (place.port === this.#port) this.#serve(place);
      else this.#elect();
    });
  }

  #serve(place: Place): void {
    const { server } = this.#app ?? {};
    if (this.#app?.port === this.#port && server?.listening) return;
    clearTimeout(this.#election);
    this.#election = undefined;
    this.#app = place;
    this.#onApp(place.server, place.port);
    this.#openOwnPorts();
  }

  /** Waits until no server on the port of `fw dev` is to be expected. */
  #elect(): void {
    if (this.#app !== undefined || this.#election !== undefined || this.#isDraining) return;
    const began = performance.now();
    const isUsual = this.#usual === this.#port;
    let idle = 0;
    const look = (): void => {
      this.#election = undefined;
      const candidates = this.#candidates;
      const [first] = candidates;
      if (this.#app !== undefined || first === undefined) return;
      const known = candidates.find(({ port }) => port === this.#usual);
      idle = !isUsual && isIdle() ? idle + 1 : 0;
      const isOver = idle > 1 || performance.now() - began > (isUsual ? USUAL_APP_TIMEOUT : APP_TIMEOUT);
      if (known !== undefined || isOver) this.#serve(known ?? first);
      else this.#election = setTimeout(look, PAUSE).unref();
    };
    look();
  }

  #openOwnPorts(): void {
    if (this.#app === undefined || this.#isDraining || (this.#isReplacing && !this.#isCurrent)) return;
    for (const place of this.#places.values()) {
      if (!place.isOnPipe || place.port === this.#port || place.port === this.#app.port) continue;
      place.isOnPipe = false;
      moveToOwnPort(
        place,
        () => this.#isReplacing && !this.#isDraining,
        () => !this.#isDraining,
      );
    }
  }

  #closed(server: net.Server): void {
    this.#places.delete(server);
    this.#paths.delete(server);
    if (this.#app?.server !== server) return;
    const wasOnPort = this.#app.port === this.#port;
    this.#app = undefined;
    const [next] = this.#onPort;
    if (next) this.#serve(next);
    else if (!wasOnPort) this.#elect();
  }

  #watchPath(server: net.Server, args: unknown[]): void {
    const path = unixPath(args);
    if (path === undefined) return;
    const ino = inode(path);
    if (!server.listening || ino === undefined) return;
    this.#paths.set(server, { path, ino });
    if (!this.#watched.has(server)) server.on('close', () => this.#closed(server));
    this.#watched.add(server);
  }
}

/** The port in the arguments of `listen`; undefined for port 0, paths, handles and descriptors. */
export function fixedPort(args: unknown[]): Pick<ListenCall, 'port' | 'host' | 'done'> | undefined {
  const done = args.findLast((value) => typeof value === 'function') as (() => void) | undefined;
  const [first, second] = args;
  const options =
    typeof first === 'object' && first !== null ? (first as Record<string, unknown>) : { port: first };
  if (options.path !== undefined || options.fd !== undefined || options._handle !== undefined)
    return undefined;
  const named = options.port;
  if (typeof named !== 'number' && !(typeof named === 'string' && /^\s*\d+\s*$/.test(named)))
    return undefined;
  const port = Number(named);
  const host = typeof first === 'object' ? options.host : second;
  // For a port out of range, Node throws its own error.
  return Number.isInteger(port) && port > 0 && port < 65536
    ? { port, host: typeof host === 'string' ? host : undefined, done }
    : undefined;
}

/** The path of a Unix socket in the arguments of `listen`. */
function unixPath([first]: unknown[]): string | undefined {
  const path = typeof first === 'object' && first !== null ? (first as { path?: unknown }).path : first;
  return typeof path === 'string' && process.platform !== 'win32' && !/^\s*(?:\d+\s*)?$/.test(path)
    ? path
    : undefined;
}

function inode(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino;
}

/** What Node does if the port is in use; that it is in use by the app itself, only this process knows. */
function failInUse({ server, port, host }: ListenCall): void {
  const address = host ?? '::';
  const code = 'EADDRINUSE';
  const [errno] = [...getSystemErrorMap()].find(([, [name]]) => name === code) ?? [];
  const error = Object.assign(new Error(`listen ${code}: address already in use ${address}:${port}`), {
    code,
    errno,
    syscall: 'listen',
    address,
    port,
  });
  process.nextTick(() => server.emit('error', error));
}

/** False while timers, files, connections, threads or child processes may go on with the start of the app. */
function isIdle(): boolean {
  return process.getActiveResourcesInfo().every((kind) => passive.has(kind));
}
