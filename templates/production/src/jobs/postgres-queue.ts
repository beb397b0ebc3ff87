// The queue on PostgreSQL: pg-boss, which keeps its jobs in the schema `pgboss` of the same database.
import { CompiledQuery } from 'kysely';
import PgBoss from 'pg-boss';
import type { Db } from '../database/database.ts';
import type { Log } from '../operations/log.ts';
import type { Envelope, Queue } from './jobs.ts';

export class PostgresQueue implements Queue {
  readonly #boss: PgBoss;

  constructor(url: string, log: Pick<Log, 'error'>) {
    // Connections of its own, so that jobs and requests do not wait for each other.
    this.#boss = new PgBoss({ connectionString: url, max: 3, maintenanceIntervalSeconds: 10 });
    // Such as while the database is away: pg-boss goes on when it is back.
    this.#boss.on('error', (err) => log.error({ err }, 'the queue of jobs failed'));
  }

  async start(
    names: readonly string[],
    run: (name: string, id: string, job: Envelope) => Promise<void>,
  ): Promise<void> {
    await this.#boss.start();
    for (const name of names) {
      // A job of a process that was killed runs elsewhere when `expireInSeconds` are over.
      const options = { retryLimit: 12, retryDelay: 1, retryBackoff: true, expireInSeconds: 15 };
      await this.#boss.createQueue(name, { name, ...options });
      await this.#boss.updateQueue(name, { name, ...options });
      await this.#boss.work<Envelope>(name, { pollingIntervalSeconds: 1 }, async ([job]) => {
        if (job !== undefined) await run(name, job.id, job.data);
      });
    }
  }

  async add(trx: Db, name: string, job: Envelope): Promise<void> {
    const executeSql = (text: string, values: unknown[]) =>
      trx.withoutPlugins().executeQuery<Record<string, unknown>>(CompiledQuery.raw(text, values));
    const id = await this.#boss.send(name, job, { db: { executeSql } });
    if (id === null) throw new Error(`the queue ${name} has not taken the job`);
  }

  close(): Promise<void> {
    return this.#boss.stop({ graceful: true, timeout: 15_000 });
  }
}
