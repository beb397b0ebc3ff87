// Hostile dialogues: starts the process that they talk to, gives it orders, and sees its end.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Ports } from './dialogue.js';
import type { Order, Report } from './trial-server.js';

/** How much of what the process has written last is shown if it ends. */
const SHOWN = 3_000;

export class TrialProcess {
  readonly ports: Ports;
  readonly #child: ChildProcess;
  readonly #written: () => string;
  /** Rejects when it ends. */
  readonly #end: Promise<never>;

  private constructor(child: ChildProcess, ports: Ports, written: () => string) {
    this.#child = child;
    this.ports = ports;
    this.#written = written;
    this.#end = once(child, 'exit').then(() => {
      throw new Error('the process has ended');
    });
    this.#end.catch(() => {});
  }

  static async start(): Promise<TrialProcess> {
    const file = fileURLToPath(new URL('trial-server.ts', import.meta.url));
    const child = fork(file, [], { execArgv: ['--import', 'tsx'], stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
    let written = '';
    for (const output of [child.stdout, child.stderr]) {
      output?.setEncoding('utf8').on('data', (text: string) => {
        written = (written + text).slice(-SHOWN);
      });
    }
    const first = await Promise.race([once(child, 'message'), once(child, 'close').then(() => [])]);
    const { ports } = (first[0] ?? {}) as Report;
    if (ports === undefined) throw new Error(`the process did not start: ${written}`);
    return new TrialProcess(child, ports, () => written);
  }

  get isAlive(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** What it has written last: the error that ended it. */
  get written(): string {
    return this.#written();
  }

  /** @throws Error if the process has ended. */
  async order(order: Order): Promise<Report> {
    if (!this.isAlive) throw new Error('the process has ended');
    const waiting = new AbortController();
    const answer = once(this.#child, 'message', { signal: waiting.signal });
    answer.catch(() => {});
    this.#child.send(order, () => {});
    try {
      const [report] = await Promise.race([answer, this.#end]);
      return report as Report;
    } finally {
      waiting.abort();
    }
  }

  /** Its exit code, when it has ended. */
  async ended(): Promise<number | null> {
    if (this.isAlive) await once(this.#child, 'exit');
    return this.#child.exitCode;
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }
}
