// The frontend of an app under `fw dev`: Vite beside it, and the WebSockets between browsers and Vite.
import type { FSWatcher } from 'chokidar';
import type { FrontendOrder } from '../../process/messages.js';
import type { WorkerProcess } from '../../process/worker-process.js';
import type { Terminal } from '../../terminal/output.js';
import { FrontendServer } from './frontend-server.js';
import type { FrontendSettings } from './frontend-settings.js';
import { Tunnels } from './tunnels.js';
import { watchTypes } from './type-watch.js';

/** How long Vite may take to end, in milliseconds. */
const closeGrace = 2000;

/** Follows the reloads of the app, but leaves that of the page to Vite. */
const quietLiveScript = '<script type="module" src="/_fw/live.js?reload=off"></script>';

export interface FrontendOptions {
  readonly settings: FrontendSettings;
  readonly terminal: Terminal;
  readonly env: NodeJS.ProcessEnv;
  /** Whether there is a page about the app, which serves the live script. */
  readonly hasLiveScript: boolean;
  warn(text: string): void;
  /** A file of the frontend has changed. */
  onChange(): void;
}

export class Frontend {
  readonly #options: FrontendOptions;
  readonly #server: FrontendServer;
  readonly #tunnels: Tunnels;
  #watcher: FSWatcher | undefined;

  constructor(options: FrontendOptions) {
    const { settings, terminal, env, warn } = options;
    this.#options = options;
    this.#tunnels = new Tunnels(settings.port);
    this.#server = new FrontendServer({
      settings,
      env,
      label: this.#label('web', terminal.colors.magenta),
      useColors: terminal.colors.isColorSupported,
      print: (line) => terminal.print(line),
      onEnd: (how) => warn(`the frontend's dev server ${how}; press r to start it again`),
    });
  }

  /** For the boot of a worker. */
  get order(): FrontendOrder {
    const { settings, terminal, hasLiveScript } = this.#options;
    return {
      port: settings.port,
      liveScript: hasLiveScript ? quietLiveScript : '',
      label: this.#label('app', terminal.colors.cyan),
    };
  }

  start(): void {
    this.#server.start();
    const { settings, onChange, warn } = this.#options;
    this.#watcher ??= watchTypes(settings.folder, onChange, warn);
  }

  /** A worker boots: it may send WebSockets from now on. */
  follow(worker: WorkerProcess): void {
    worker.onTunnel = (socket, head) => this.#tunnels.accept(socket, head);
  }

  async close(): Promise<void> {
    await this.#watcher?.close();
    this.#tunnels.close();
    await this.#server.close(closeGrace);
  }

  #label(name: string, color: (text: string) => string): string {
    return `${color(name)} ${this.#options.terminal.colors.dim('│')} `;
  }
}
