// The queue on PostgreSQL: pg-boss, which keeps its jobs in the schema `pgboss` of the same database.
import { log } from 'fw/tracing';
import { CompiledQuery } from 'kysely';
import PgBoss from 'pg-boss';
import type { Db } from '../database/database.ts';
import { type Envelope, type Job, leaseSeconds, type Queue, retries } from './queue.ts';

export class PostgresQueue implements Queue {
  readonly #boss: PgBoss;

  constructor(url: string) {
    // Connections of its own, so that jobs and requests do not wait for each other. It has no schedules here.
    this.#boss = new PgBoss({
      connectionString: url,
      max: 3,
      maintenanceIntervalSeconds: 10,
      schedule: false,
    });
    // Such as while the database is away: pg-boss goes on when it is back.
    this.#boss.on('error', (err) => log.error({ err }, 'the queue of jobs failed'));
  }

  async start(names: readonly string[]): Promise<void> {
    await this.#boss.start();
    const options = { retryLimit: retries, retryDelay: 1, retryBackoff: true, expireInSeconds: leaseSeconds };
    for (const name of names) {
      await undisturbed(() => this.#boss.createQueue(name, { name, ...options }));
      // The options of a queue that existed before.
      await this.#boss.updateQueue(name, { name, ...options });
    }
  }

  async add(trx: Db, name: string, job: Envelope): Promise<void> {
    const executeSql = (text: string, values: unknown[]) =>
      trx.withoutPlugins().executeQuery<Record<string, unknown>>(CompiledQuery.raw(text, values));
    const id = await this.#boss.send(name, job, { db: { executeSql } });
    if (id === null) throw new Error(`the queue ${name} has not taken the job`);
  }

  take(name: string): Promise<readonly Job<Envelope>[]> {
    return this.#boss.fetch<Envelope>(name, { batchSize: 10 });
  }

  async done(name: string, id: string): Promise<void> {
    await this.#boss.complete(name, id);
  }

  async failed(name: string, id: string, error: unknown): Promise<void> {
    await this.#boss.fail(name, id, { message: error instanceof Error ? error.message : String(error) });
  }

  close(): Promise<void> {
    return this.#boss.stop({ graceful: false });
  }
}

/** Processes that start at once create their queues at once, and PostgreSQL ends one of two that wait for each other. */
async function undisturbed(create: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await create();
    } catch (error) {
      if ((error as { code?: unknown }).code !== DEADLOCK || attempt === 5) throw error;
    }
  }
}

/** SQLSTATE: deadlock_detected. */
const DEADLOCK = '40P01';
