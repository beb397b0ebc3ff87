// The processes of the app: which they are, and what their probes tell.
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Reading } from './flatness.js';

export class Processes {
  /** The process that was started, which watches the workers. */
  readonly primary: number;
  readonly #sockets: string;
  readonly #workers: number;

  /** @param sockets the folder of the sockets of the probes */
  constructor(primary: number, sockets: string, workers: number) {
    this.primary = primary;
    this.#sockets = sockets;
    this.#workers = workers;
  }

  /** The oldest first. */
  workers(): number[] {
    const text = readFileSync(`/proc/${this.primary}/task/${this.primary}/children`, 'utf8');
    return text.trim().split(' ').filter(Boolean).map(Number);
  }

  /** Waits for all workers, and gives them. */
  async complete(): Promise<number[]> {
    for (let attempt = 0; attempt < 600; attempt++) {
      const workers = this.workers();
      const isProbed = (pid: number): boolean => existsSync(join(this.#sockets, `${pid}.sock`));
      if (workers.length === this.#workers && workers.every(isProbed)) return workers;
      await sleep(100);
    }
    throw new Error(`there are ${this.workers().length} workers, not ${this.#workers}, after a minute`);
  }

  read(pid: number): Promise<Reading> {
    return this.#ask(pid, 'read') as Promise<Reading>;
  }

  /** Moves the clock of all processes, as somebody does who sets the time of the machine. */
  async setClock(offsetMs: number): Promise<void> {
    const all = [this.primary, ...(await this.complete())];
    await Promise.all(all.map((pid) => this.#ask(pid, `clock ${offsetMs}`)));
  }

  /** To see that a check fails. */
  async leak(pid: number, what: string): Promise<void> {
    await this.#ask(pid, `leak ${what}`);
  }

  async #ask(pid: number, command: string): Promise<unknown> {
    const socket = connect(join(this.#sockets, `${pid}.sock`));
    await once(socket, 'connect');
    socket.write(`${command}\n`);
    const chunks: Buffer[] = await socket.toArray();
    return JSON.parse(Buffer.concat(chunks).toString());
  }
}
