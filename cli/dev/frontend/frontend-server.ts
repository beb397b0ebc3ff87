// The frontend's dev server: a process of Vite that lives as long as `fw dev`, through all restarts of the app.
import { type ChildProcess, fork } from 'node:child_process';
import { createInterface } from 'node:readline';
import { whyTaken } from '../../process/port-free.js';
import { portOwner } from '../../process/port-owner.js';
import { killGroup, ownGroup } from '../../process/process-group.js';
import { CliError } from '../../terminal/errors.js';
import { printableColored } from '../../terminal/printable.js';
import type { FrontendSettings } from './frontend-settings.js';

export interface FrontendServerOptions {
  readonly settings: FrontendSettings;
  /** The variables of the app, such as those of `.env`. */
  readonly env: NodeJS.ProcessEnv;
  /** The secret without which Vite answers nothing: its port is open to every site and every user of the machine. */
  readonly key: string;
  /** Put before each line that Vite prints. */
  readonly label: string;
  readonly useColors: boolean;
  print(line: string): void;
  /** Vite has ended by itself; `how` says how. */
  onEnd(how: string): void;
}

/** Ends Vite if `fw dev` is killed, which cannot end it any more. */
const END_WITH_PARENT =
  'data:text/javascript,process.once("disconnect",()=>process.exit());process.channel?.unref()';

/** Runs in Vite's process before Vite. Other ports of it, such as one for its WebSockets alone, are left as they are. */
function requiringKey(port: number): string {
  const code = `
    import { timingSafeEqual } from 'node:crypto';
    import net from 'node:net';
    const key = Buffer.from(process.env.FW_FRONTEND_KEY ?? '');
    delete process.env.FW_FRONTEND_KEY;
    const { emit } = net.Server.prototype;
    const asks = new Set(['request', 'checkContinue', 'checkExpectation', 'upgrade', 'connect']);
    net.Server.prototype.emit = function (event, ...args) {
      if (!asks.has(event) || this.address()?.port !== ${port}) return emit.call(this, event, ...args);
      const [request, response] = args;
      const given = Buffer.from(request.headers['fw-frontend'] ?? '');
      delete request.headers['fw-frontend'];
      if (key.length > 0 && given.length === key.length && timingSafeEqual(given, key))
        return emit.call(this, event, ...args);
      const text = 'This is the dev server behind fw dev: open the address that fw dev prints.\\n';
      if (response.writeHead) response.writeHead(403, { 'content-type': 'text/plain', connection: 'close' }).end(text);
      else response.end('HTTP/1.1 403 Forbidden\\r\\nConnection: close\\r\\n\\r\\n');
      return true;
    };`;
  return `data:text/javascript,${encodeURIComponent(code)}`;
}

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
    const { settings, env, key, label, useColors, print, onEnd } = this.#options;
    const { port, folder, program } = settings;
    const args = ['--port', String(port), '--strictPort', '--host', '127.0.0.1', '--clearScreen', 'false'];
    const child = fork(program, args, {
      cwd: folder,
      env: { ...env, FW_FRONTEND_KEY: key, ...(useColors && { FORCE_COLOR: '1' }) },
      execArgv: ['--import', END_WITH_PARENT, '--import', requiringKey(port)],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      // Ctrl+C in the terminal reaches `fw dev`, which ends Vite after the app.
      detached: ownGroup,
    });
    this.#child = child;
    for (const output of [child.stdout, child.stderr]) {
      if (output === null) continue;
      createInterface({ input: output }).on('line', (line) => {
        if (line !== '' && !isAddress(line)) print(label + printableColored(line));
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
    const child = this.#child;
    if (child) await this.#end(child, grace);
    // Not before: a second Ctrl+C does not wait for Vite.
    process.off('exit', this.#endNow);
  }

  async #end(child: ChildProcess, grace: number): Promise<void> {
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
  const error = await whyTaken(port, '127.0.0.1');
  if (error === undefined) return;
  if (error.code !== 'EADDRINUSE') throw error;
  const owner = portOwner(port);
  throw new CliError(`port ${port}, the frontend_port of fw.toml, is in use${owner ? ` by ${owner}` : ''}`, {
    help: 'stop the process that uses it, or give another frontend_port',
  });
}
