// The queue in the embedded database, for development and small installations: a table, whose jobs this process runs
// one after the other. It survives a restart, but belongs to one process.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../database/database.ts';
import type { Log } from '../operations/log.ts';
import type { Envelope, Queue } from './jobs.ts';

// Adds the table to those of the database, where it is needed.
declare module '../database/database.ts' {
  interface Database {
    localJobs: { id: string; name: string; envelope: string; attempts: number; runAt: number };
  }
}

const attempts = 13;
const pollMs = 1000;

export class LocalQueue implements Queue {
  readonly #db: Db;
  readonly #log: Pick<Log, 'error'>;
  readonly #closing: AbortController = new AbortController();
  #working: Promise<void> = Promise.resolve();

  constructor(db: Db, log: Pick<Log, 'error'>) {
    this.#db = db;
    this.#log = log;
  }

  async start(
    _names: readonly string[],
    run: (name: string, id: string, job: Envelope) => Promise<void>,
  ): Promise<void> {
    await this.#db.schema
      .createTable('localJobs')
      .ifNotExists()
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('envelope', 'text', (column) => column.notNull())
      .addColumn('attempts', 'integer', (column) => column.notNull())
      .addColumn('runAt', 'integer', (column) => column.notNull())
      .execute();
    this.#working = this.#work(run);
  }

  async add(trx: Db, name: string, job: Envelope): Promise<void> {
    const row = { id: randomUUID(), name, envelope: JSON.stringify(job), attempts: 0, runAt: Date.now() };
    await trx.insertInto('localJobs').values(row).execute();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#working;
  }

  async #work(run: (name: string, id: string, job: Envelope) => Promise<void>): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      try {
        const job = await this.#next();
        if (job !== undefined) {
          await this.#attempt(job, run);
          continue;
        }
      } catch (err) {
        // Such as while another process has locked the file.
        this.#log.error({ err }, 'the queue of jobs failed');
      }
      // Ends early, by an error that says no more, when the queue is closed.
      await sleep(pollMs, undefined, { signal, ref: false }).catch(() => {});
    }
  }

  async #next(): Promise<{ id: string; name: string; envelope: string; attempts: number } | undefined> {
    return this.#db
      .selectFrom('localJobs')
      .selectAll()
      .where('runAt', '<=', Date.now())
      .orderBy('runAt')
      .executeTakeFirst();
  }

  async #attempt(
    job: { id: string; name: string; envelope: string; attempts: number },
    run: (name: string, id: string, job: Envelope) => Promise<void>,
  ): Promise<void> {
    const count = job.attempts + 1;
    const isOver = await run(job.name, job.id, JSON.parse(job.envelope)).then(
      () => true,
      () => count === attempts,
    );
    if (isOver) {
      await this.#db.deleteFrom('localJobs').where('id', '=', job.id).execute();
      return;
    }
    const retry = { attempts: count, runAt: Date.now() + 1000 * 2 ** job.attempts };
    await this.#db.updateTable('localJobs').set(retry).where('id', '=', job.id).execute();
  }
}
