// `fw dev` of the same template beside it: each save must reach, and no request may be lost meanwhile.
import { readFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type DevSession, save, startDev } from '../dev-session.js';
import type { Records } from './records.js';

/** A save whose answer takes longer has not reached; a busy machine takes seconds. */
const REACH_MS = 60_000;
const VERSION = /version: '0\.1\.\d+', health/;

export class DevBeside {
  /** Milliseconds from each save to its first answer. */
  readonly reached: number[] = [];
  readonly #records: Records;
  readonly #session: DevSession;
  readonly #file: string;
  readonly #text: string;
  #isEnding = false;
  #saved = 0;
  #newest = 0;
  #work: Promise<unknown> = Promise.resolve();

  private constructor(app: string, session: DevSession, records: Records) {
    this.#session = session;
    this.#records = records;
    this.#file = join(app, 'src/app.ts');
    this.#text = readFileSync(this.#file, 'utf8');
    if (!VERSION.test(this.#text)) throw new Error(`${this.#file} has no version to change`);
  }

  static async start(app: string, records: Records): Promise<DevBeside> {
    const session = await startDev({
      app,
      env: { DOCS: 'false', NODE_ENV: undefined, RATE_LIMIT: '1000000' },
    });
    const beside = new DevBeside(app, session, records);
    const saves = beside.#saves();
    beside.#work = Promise.all([saves, beside.#asks(saves)]);
    return beside;
  }

  async end(): Promise<void> {
    this.#isEnding = true;
    await this.#work;
    await this.#session.end('SIGTERM');
  }

  async #saves(): Promise<void> {
    while (!this.#isEnding) {
      const number = ++this.#saved;
      save(this.#session, this.#file, this.#text.replace(VERSION, `version: '0.1.${number}', health`));
      const began = performance.now();
      while (this.#newest < number && performance.now() - began < REACH_MS) await sleep(10);
      if (this.#newest >= number) this.reached.push(performance.now() - began);
      else this.#records.fault(`fw dev: save ${number} was not answered after ${REACH_MS} ms`);
      for (let i = 0; i < 30 && !this.#isEnding; i++) await sleep(100);
    }
  }

  /** It ends after the last save, which it sees the answer of. */
  async #asks(saves: Promise<void>): Promise<void> {
    let isOver = false;
    void saves.then(() => {
      isOver = true;
    });
    while (!isOver) {
      const newest = this.#newest;
      const began = performance.now();
      const { status, version } = await this.#ask();
      this.#records.answered('fw dev', status, performance.now() - began);
      if (status !== 200)
        this.#records.fault(`fw dev: a request was answered ${status} at save ${this.#saved}`);
      else if (version < newest)
        this.#records.fault(`fw dev: version ${version} was answered after ${newest}`);
      this.#newest = Math.max(this.#newest, version);
      await sleep(50);
    }
  }

  /** On a connection of its own. */
  #ask(): Promise<{ status: number; version: number }> {
    return new Promise((resolve) => {
      const asked = get({ port: this.#session.port, host: '127.0.0.1', agent: false }, async (answer) => {
        const text = (await answer.setEncoding('utf8').toArray()).join('');
        const [, version = '0'] = /"version":"0\.1\.(\d+)"/.exec(text) ?? [];
        resolve({ status: answer.statusCode ?? 0, version: Number(version) });
      });
      asked.on('error', () => resolve({ status: 0, version: 0 }));
    });
  }
}
