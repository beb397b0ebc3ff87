// The supervisor's handle of one worker process: starts it, warms it up, boots it, sends it sockets, ends it.
import { type ChildProcess, fork } from 'node:child_process';
import { existsSync, linkSync, rmSync } from 'node:fs';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { retryBusySync } from '../../framework/files/retry-busy.js';
import { mapFileOf } from '../bundle/source-map.js';
import {
  type AppError,
  type BootOrder,
  type FromWorker,
  isMessage,
  type Receiver,
  type RunOrder,
  type ToWorker,
  type WorkerConfig,
  type WorkerNews,
} from './messages.js';
import { WorkerLifecycle } from './worker-lifecycle.js';

/** How a boot ended: the app listens, or the process has exited, with what is known about the cause. */
export type BootResult = { ready: true } | FailedBoot;

export interface FailedBoot {
  ready: false;
  error: AppError | undefined;
  exit: string;
}

export interface Warmth {
  loaded: string[];
  unsafe?: string;
}

export interface WorkerOptions {
  file: string;
  cwd: string;
  env: NodeJS.ProcessEnv;
  inspect: boolean;
  /** Modules that Node loads before anything else, as `--import`. */
  preload: string[];
  /** Further flags of Node. */
  flags?: string[];
  /** Whether it has the standard input of this process; it is empty by default. */
  hasInput?: boolean;
  /** Where its standard output goes; to that of this process by default. */
  output?: 'stderr';
}

/** How long a worker may take to confirm that it takes nothing new, in milliseconds. */
const HAND_OVER = 50;
/** When a draining worker is killed, in milliseconds: its event loop is stuck, or it does not exit. */
const DRAIN_END = 35_000;

const running = new Set<ChildProcess>();
// A worker in an endless loop does not notice that its supervisor has exited. This runs at every exit of the
// supervisor except after SIGKILL.
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** Why a process ended, in words. */
function exitText(code: number | null, signal: NodeJS.Signals | null): string {
  return signal ? `was killed by ${signal}` : `exited with code ${code}`;
}

export class WorkerProcess implements Receiver {
  readonly exited: Promise<string>;
  /** The name under which it runs its bundle, if that was given to it when it was started. */
  readonly #bundle: string | undefined;
  /** Receives sockets that the worker returned without having read from them. */
  onReturned: (socket: Socket) => void = (socket) => socket.destroy();
  /** Receives WebSockets for the frontend's dev server, each with the request that opens it. */
  onTunnel: (socket: Socket, head: string, isOneWay: boolean) => void = (socket) => socket.destroy();
  /** Receives what the worker tells the page about the app. */
  onNews: (news: WorkerNews) => void = () => {};
  /** The app loads one of its own files beside its bundle. */
  onRunTimeFile: (file: string) => void = () => {};
  /** Receives the sources that the app has loaded without a bundle. */
  onLoaded: (files: string[]) => void = () => {};
  /** Receives what is the case with the migrations of the app. */
  onMigrations: (news: FromWorker & { fw: 'migrations' }) => void = () => {};
  /** The app cannot run as a bundle. */
  needsSources = false;
  busy = false;
  inspectorPort: number | undefined;
  lastError: AppError | undefined;
  /** See the message `held`. */
  isHeld = false;
  warmth: Warmth = { loaded: [] };
  /** URLs of the database drivers that the app had loaded when it was ready. */
  drivers: readonly string[] = [];
  appPort: number | undefined;
  /** Why the process ended, in words; undefined while it runs. */
  exit: string | undefined;
  readonly #child: ChildProcess;
  #sent = 0;
  #offered: { id: number; settle(delivered: boolean): void } | undefined;
  #predecessor: Promise<void> | undefined;
  readonly #lifecycle = new WorkerLifecycle();

  /** @param bundle the file, which must not exist, under whose name it will run its bundle */
  constructor(options: WorkerOptions, bundle?: string) {
    this.#bundle = bundle;
    this.#child = fork(options.file, [], {
      cwd: options.cwd,
      env: { ...options.env, ...(options.inspect && { FW_DEV_INSPECT: '1' }) },
      execArgv: [
        '--enable-source-maps',
        ...(options.inspect ? ['--inspect-publish-uid=http'] : []),
        ...(options.flags ?? []),
        ...options.preload.map((module) => `--import=${module}`),
      ],
      stdio: [
        options.hasInput ? 'inherit' : 'ignore',
        options.output === 'stderr' ? 2 : 'inherit',
        'inherit',
        'ipc',
      ],
    });
    this.exited = new Promise((settle) => {
      this.#child.once('exit', (code, signal) => settle(exitText(code, signal)));
      this.#child.once('error', (error) => settle(`did not start: ${error.message}`));
    });
    running.add(this.#child);
    void this.exited.then((exit) => this.#gone(exit));
    this.#child.on('message', (message, handle) => {
      if (isMessage(message)) this.#hear(message as FromWorker, handle as Socket | undefined);
    });
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get alive(): boolean {
    return this.#lifecycle.state !== 'dead' && this.#child.connected;
  }

  /** Imports packages ahead of time, by the names that the bundle will use. @param isSoon see `WarmOrder` */
  warm(specifiers: string[], isSoon = false): void {
    if (this.#bundle === undefined) throw new Error('a process without a name for its bundle cannot warm up');
    this.#lifecycle.become('warming');
    this.send({ fw: 'warm', specifiers, bundle: this.#bundle, isSoon });
  }

  /** Makes the worker do what it can do before there is a bundle. */
  prepare(config: WorkerConfig): void {
    if (this.#bundle !== undefined) this.send({ fw: 'prepare', ...config, bundle: this.#bundle });
  }

  /** Settles when the last `warm` is done, or the process has exited. */
  get warming(): Promise<unknown> {
    return this.#lifecycle.after('warming');
  }

  get isWarm(): boolean {
    return this.#lifecycle.state !== 'warming';
  }

  async boot(order: BootOrder | RunOrder): Promise<BootResult> {
    this.#lifecycle.become('booting');
    this.send({ ...order, bundle: this.#place(order.bundle) });
    if ((await this.#lifecycle.after('booting')) === 'active') return { ready: true };
    return { ready: false, exit: await this.exited, error: this.lastError };
  }

  /** Gives the bundle the name for which the process has resolved the packages. */
  #place(bundle: string): string {
    if (this.#bundle === undefined) return bundle;
    try {
      // The file may have no map, as in tests.
      if (existsSync(mapFileOf(bundle))) linkSync(mapFileOf(bundle), mapFileOf(this.#bundle));
      linkSync(bundle, this.#bundle);
      return this.#bundle;
    } catch {
      // A file system without links: the packages are resolved again.
      return bundle;
    }
  }

  /** Sends one socket to the worker; `lost` means that the worker never received it. */
  accept(socket: Socket, done: (outcome: 'sent' | 'lost') => void): void {
    const id = ++this.#sent;
    const settle = (delivered: boolean): void => {
      this.#offered = undefined;
      done(delivered ? 'sent' : 'lost');
    };
    if (!this.alive) {
      settle(false);
      return;
    }
    this.#offered = { id, settle };
    // Kept open here until the worker has it, so that no connection is lost if the worker dies in between.
    this.#child.send({ fw: 'socket', id } satisfies ToWorker, socket, { keepOpen: true }, (error) => {
      if (error && this.#offered?.id === id) settle(false);
    });
  }

  /** Until this promise settles, which must not reject, sockets are sent to the worker, but not read by it. */
  readAfter(predecessor: Promise<void>): void {
    this.#predecessor = predecessor;
    void predecessor.then(() => {
      this.#predecessor = undefined;
    });
  }

  /**
   * Makes the worker finish its requests and exit. Settles as soon as the worker has confirmed that it accepts
   * nothing new, or is too busy to confirm; its successor gets the sockets that it has not accepted by then.
   */
  async retire(): Promise<void> {
    const force = setTimeout(() => this.kill(), DRAIN_END);
    void this.exited.then(() => clearTimeout(force));
    this.#lifecycle.become('retiring');
    this.send({ fw: 'drain' });
    if (this.alive) await Promise.race([this.#lifecycle.after('retiring'), delay(HAND_OVER)]);
    this.#offered?.settle(false);
  }

  /** Ends the process: the app may close what it holds, and is killed after `grace` milliseconds. */
  async stop(grace: number): Promise<void> {
    if (this.#lifecycle.state === 'dead') return;
    this.send({ fw: 'stop' });
    const force = setTimeout(() => this.kill(), grace);
    await this.exited;
    clearTimeout(force);
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  /** A worker that has exited receives nothing. */
  send(message: ToWorker): void {
    if (this.alive) this.#child.send(message, () => {});
  }

  #hear(message: FromWorker, handle: Socket | undefined): void {
    if (message.fw === 'got') void this.#handOver(message.id);
    else if (message.fw === 'ready') {
      this.drivers = message.drivers ?? [];
      this.appPort = message.port;
      this.#lifecycle.become('active');
    } else if (message.fw === 'draining') this.#lifecycle.become('draining');
    else if (message.fw === 'held') this.isHeld = true;
    else if (message.fw === 'loaded') this.onLoaded(message.files);
    else if (message.fw === 'runTimeFile') {
      this.needsSources = true;
      this.onRunTimeFile(message.file);
    } else if (message.fw === 'error') this.lastError = message.error;
    else if (message.fw === 'migrations') this.onMigrations(message);
    else if (message.fw === 'inspector') this.inspectorPort = message.port;
    else if (message.fw === 'returned' && handle) this.onReturned(handle);
    else if (message.fw === 'tunnel' && handle) this.onTunnel(handle, message.head, message.isOneWay);
    else if (message.fw === 'warmed') {
      this.warmth = message;
      this.#lifecycle.become('idle');
    } else if (isNews(message)) {
      this.onNews(message);
    }
  }

  async #handOver(id: number): Promise<void> {
    await this.#predecessor;
    const isStillMeant = this.#offered?.id === id;
    this.send({ fw: isStillMeant ? 'taken' : 'withdrawn', id });
    if (isStillMeant) this.#offered?.settle(true);
  }

  #gone(exit: string): void {
    this.exit = exit;
    this.#lifecycle.become('dead');
    const bundle = this.#bundle;
    for (const file of bundle === undefined ? [] : [bundle, mapFileOf(bundle)])
      retryBusySync(() => rmSync(file, { force: true }));
    running.delete(this.#child);
    this.#offered?.settle(false);
  }
}

const NEWS: ReadonlySet<string> = new Set<WorkerNews['fw']>([
  'records',
  'messages',
  'seconds',
  'caughtUp',
  'described',
  'mail',
  'note',
]);

function isNews(message: FromWorker): message is WorkerNews {
  return NEWS.has(message.fw);
}
