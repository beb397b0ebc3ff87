// The frontend of an app under `fw dev`: Vite beside it, and the WebSockets between browsers and Vite.

import { randomBytes } from 'node:crypto';
import net, { type Socket } from 'node:net';
import { extname, relative, sep } from 'node:path';
import { type FSWatcher, watch } from 'chokidar';
import type { FrontendOrder } from '../../process/messages.js';
import type { WorkerProcess } from '../../process/worker-process.js';
import type { Terminal } from '../../terminal/output.js';
import { FrontendServer } from './frontend-server.js';
import type { FrontendSettings } from './frontend-settings.js';

/** How long Vite may take to end, in milliseconds. */
const CLOSE_GRACE = 2000;

/** The quiet time after the last change of files, before Vite is started again, in milliseconds. */
const QUIET = 100;

/** Follows the reloads of the app, but leaves that of the page to Vite. */
const QUIET_LIVE_SCRIPT = '<script type="module" src="/_fw/live.js?reload=off"></script>';

/** Files that have types. */
const typed = ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.json', '.vue', '.svelte'];

export interface FrontendOptions {
  readonly settings: FrontendSettings;
  readonly terminal: Terminal;
  readonly env: NodeJS.ProcessEnv;
  /** Whether there is a page about the app, which serves the live script. */
  readonly hasLiveScript: boolean;
  /** Whether `r` can be pressed, which starts it again. */
  hasKeys(): boolean;
  warn(text: string): void;
  /** A file of the frontend has changed. */
  onChange(): void;
}

export class Frontend {
  readonly #options: FrontendOptions;
  readonly #server: FrontendServer;
  readonly #tunnels: Tunnels;
  readonly #key = randomBytes(32).toString('base64url');
  #watcher: FSWatcher | undefined;
  #startingAgain: NodeJS.Timeout | undefined;

  constructor(options: FrontendOptions) {
    const { settings, terminal, env, hasKeys, warn } = options;
    this.#options = options;
    this.#tunnels = new Tunnels(settings.port);
    this.#server = new FrontendServer({
      settings,
      env,
      key: this.#key,
      label: this.#label('web', terminal.colors.magenta),
      useColors: terminal.colors.isColorSupported,
      print: (line) => terminal.print(line),
      onEnd: (how) => {
        const key = hasKeys() ? ', or with r' : '';
        warn(
          `the frontend's dev server ${how}; it starts again at the next change of its files or packages${key}`,
        );
      },
    });
  }

  /** For the boot of a worker. */
  get order(): FrontendOrder {
    const { settings, terminal, hasLiveScript } = this.#options;
    const { port, root, folder, allowed } = settings;
    return {
      port,
      key: this.#key,
      root,
      folder,
      allowed,
      liveScript: hasLiveScript ? QUIET_LIVE_SCRIPT : '',
      label: this.#label('app', terminal.colors.cyan),
    };
  }

  start(): void {
    this.#server.start();
    const { settings, onChange, warn } = this.#options;
    this.#watcher ??= watchFrontend(settings.folder, {
      onFile: () => this.filesChanged(),
      onTypes: onChange,
      onProblem: warn,
    });
  }

  /** Of the frontend, or settings or packages: if Vite has ended, that may have been the cause. */
  filesChanged(): void {
    clearTimeout(this.#startingAgain);
    if (this.#server.isRunning) return;
    this.#startingAgain = setTimeout(() => this.#server.start(), QUIET);
  }

  /** A worker boots: it may send WebSockets from now on. */
  follow(worker: WorkerProcess): void {
    worker.onTunnel = (socket, head, isOneWay) => this.#tunnels.accept(socket, head, isOneWay);
  }

  async close(): Promise<void> {
    clearTimeout(this.#startingAgain);
    await this.#watcher?.close();
    this.#tunnels.close();
    await this.#server.close(CLOSE_GRACE);
  }

  #label(name: string, color: (text: string) => string): string {
    return `${color(name)} ${this.#options.terminal.colors.dim('│')} `;
  }
}

interface FrontendWatch {
  /** A file has changed, whichever it is. */
  onFile(): void;
  /** A file that has types has changed. */
  onTypes(): void;
  onProblem(text: string): void;
}

/** Vite handles changes of its files by itself, and their types are checked again. */
function watchFrontend(folder: string, { onFile, onTypes, onProblem }: FrontendWatch): FSWatcher {
  const isIgnored = (path: string): boolean =>
    relative(folder, path)
      .split(sep)
      .some((part) => part === 'node_modules' || part === 'dist' || /^\.(?!\.|env)/.test(part));
  const watcher = watch(folder, { ignored: isIgnored, ignoreInitial: true });
  watcher.on('all', (_, path) => {
    onFile();
    if (typed.includes(extname(path))) onTypes();
  });
  watcher.on('error', (error) =>
    onProblem(`types of the frontend are not checked at its changes: ${(error as Error).message}`),
  );
  return watcher;
}

/**
 * WebSockets between browsers and Vite, by which modules are replaced: they live in the supervisor, because a worker
 * that ended them would make Vite's client reload the page at every change of the app.
 */
export class Tunnels {
  readonly #port: number;
  readonly #open = new Set<Socket>();

  /** @param port of Vite, on 127.0.0.1 */
  constructor(port: number) {
    this.#port = port;
  }

  get count(): number {
    return this.#open.size / 2;
  }

  /**
   * @param head the request as it is sent to Vite
   * @param isOneWay Vite hears nothing of the client after its request
   */
  accept(client: Socket, head: string, isOneWay = false): void {
    const vite = net.connect({ port: this.#port, host: '127.0.0.1' });
    for (const [one, other] of [
      [client, vite],
      [vite, client],
    ] as const) {
      this.#open.add(one);
      one.setNoDelay(true);
      one.once('close', () => {
        this.#open.delete(one);
        other.destroy();
      });
      // `close` follows.
      one.on('error', () => {});
    }
    vite.write(head, 'latin1');
    vite.pipe(client);
    if (isOneWay) client.resume().once('end', () => vite.end());
    else client.pipe(vite);
  }

  close(): void {
    for (const socket of this.#open) socket.destroy();
  }
}
