// The queue in the embedded database, for development and small installations: a table, whose jobs survive a restart.
// It belongs to one process.
import { randomUUID } from 'node:crypto';
import type { Db } from '../database/database.ts';
import { type Envelope, type Job, type Queue, retries } from './queue.ts';

// Adds the table to those of the database, where it is needed.
declare module '../database/database.ts' {
  interface Database {
    localJobs: { id: string; name: string; envelope: string; failures: number; runAt: number };
  }
}

export class LocalQueue implements Queue {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  async start(): Promise<void> {
    await this.#db.schema
      .createTable('localJobs')
      .ifNotExists()
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('envelope', 'text', (column) => column.notNull())
      .addColumn('failures', 'integer', (column) => column.notNull())
      .addColumn('runAt', 'integer', (column) => column.notNull())
      .execute();
  }

  async add(trx: Db, name: string, job: Envelope): Promise<void> {
    const row = { id: randomUUID(), name, envelope: JSON.stringify(job), failures: 0, runAt: Date.now() };
    await trx.insertInto('localJobs').values(row).execute();
  }

  /** Nobody else takes jobs, so that they need no mark. */
  async take(name: string): Promise<readonly Job<Envelope>[]> {
    const rows = await this.#db
      .selectFrom('localJobs')
      .select(['id', 'envelope'])
      .where('name', '=', name)
      .where('runAt', '<=', Date.now())
      .orderBy('runAt')
      .limit(10)
      .execute();
    return rows.map(({ id, envelope }) => ({ id, data: JSON.parse(envelope) }));
  }

  async done(_name: string, id: string): Promise<void> {
    await this.#db.deleteFrom('localJobs').where('id', '=', id).execute();
  }

  async failed(name: string, id: string): Promise<void> {
    const query = this.#db.selectFrom('localJobs').select('failures').where('id', '=', id);
    const { failures } = await query.executeTakeFirstOrThrow();
    if (failures === retries) return this.done(name, id);
    const change = { failures: failures + 1, runAt: Date.now() + 1000 * 2 ** failures };
    await this.#db.updateTable('localJobs').set(change).where('id', '=', id).execute();
  }

  async close(): Promise<void> {}
}
