// The frontend's dev server: a process of Vite that lives as long as `fw dev`, through all restarts of the app.
import { type ChildProcess, fork } from 'node:child_process';
import net from 'node:net';
import { createInterface } from 'node:readline';
import { portOwner } from '../../process/port-owner.js';
import { killGroup, ownGroup } from '../../process/process-group.js';
import { CliError } from '../../terminal/errors.js';
import type { FrontendSettings } from './frontend-settings.js';

export interface FrontendServerOptions {
  readonly settings: FrontendSettings;
  /** The variables of the app, such as those of `.env`. */
  readonly env: NodeJS.ProcessEnv;
  /** Put before each line that Vite prints. */
  readonly label: string;
  readonly useColors: boolean;
  print(line: string): void;
  /** Vite has ended by itself; `how` says how. */
  onEnd(how: string): void;
}

/** Ends Vite if `fw dev` is killed, which cannot end it any more. */
const endWithParent =
  'data:text/javascript,process.once("disconnect",()=>process.exit());process.channel?.unref()';

export class FrontendServer {
  readonly #options: FrontendServerOptions;
  readonly #endNow = (): void => {
    if (this.#child) killGroup(this.#child);
  };
  #child: ChildProcess | undefined;
  #isClosed = false;

  constructor(options: FrontendServerOptions) {
    this.#options = options;
    process.once('exit', this.#endNow);
  }

  get isRunning(): boolean {
    return this.#child !== undefined;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  start(): void {
    if (this.#isClosed || this.#child) return;
    const { settings, env, label, useColors, print, onEnd } = this.#options;
    const { port, folder, program } = settings;
    const args = ['--port', String(port), '--strictPort', '--host', '127.0.0.1', '--clearScreen', 'false'];
    const child = fork(program, args, {
      cwd: folder,
      env: { ...env, ...(useColors && { FORCE_COLOR: '1' }) },
      execArgv: ['--import', endWithParent],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      // Ctrl+C in the terminal reaches `fw dev`, which ends Vite after the app.
      detached: ownGroup,
    });
    this.#child = child;
    for (const output of [child.stdout, child.stderr]) {
      if (output === null) continue;
      createInterface({ input: output }).on('line', (line) => {
        if (line !== '' && !isAddress(line)) print(label + line);
      });
    }
    const ended = (how: string): void => {
      if (this.#child !== child) return;
      this.#child = undefined;
      if (!this.#isClosed) onEnd(how);
    };
    child.once('error', (error) => ended(`did not start: ${error.message}`));
    child.once('exit', (code, signal) =>
      ended(signal ? `was killed by ${signal}` : `exited with code ${code}`),
    );
  }

  /** Ends Vite; it is killed after `grace` milliseconds. */
  async close(grace: number): Promise<void> {
    this.#isClosed = true;
    process.off('exit', this.#endNow);
    const child = this.#child;
    if (!child) return;
    const gone = new Promise((settle) => child.once('exit', settle));
    const force = setTimeout(() => killGroup(child), grace);
    child.kill('SIGTERM');
    await gone;
    clearTimeout(force);
  }
}

/** The lines in which Vite tells its own address: the pages are at the address of `fw dev`. */
function isAddress(line: string): boolean {
  return /➜.*(?:Local|Network|press)/.test(line.slice(0, 200));
}

/** @throws CliError if another process listens on the port */
export async function checkFrontendPort({ port }: FrontendSettings): Promise<void> {
  const isTaken = await new Promise<boolean>((settle, reject) => {
    const probe = net.createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') settle(true);
      else reject(error);
    });
    probe.listen({ port, host: '127.0.0.1', exclusive: true }, () => probe.close(() => settle(false)));
  });
  if (!isTaken) return;
  const owner = portOwner(port);
  throw new CliError(`port ${port}, the frontend_port of fw.toml, is in use${owner ? ` by ${owner}` : ''}`, {
    help: 'stop the process that uses it, or give another frontend_port',
  });
}
