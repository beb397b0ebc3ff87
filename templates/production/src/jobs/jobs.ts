// Jobs: work that happens after the answer, again and again until it succeeds. A job is added in the transaction of the
// change that asks for it, so that there is one exactly if the change is stored.
import { setTimeout as sleep } from 'node:timers/promises';
import { currentSpan, log, withSpan } from 'fw/tracing';
import client from 'prom-client';
import type { Db } from '../database/database.ts';
import type { Env } from '../env.ts';
import type { Telemetry } from '../telemetry.ts';
import { LocalQueue } from './local-queue.ts';
import { PostgresQueue } from './postgres-queue.ts';
import type { Envelope, Job, Queue } from './queue.ts';
import type { TaskEvent } from './webhook.ts';

/** The jobs of the app by name, with the data of each, which is kept as JSON. */
export interface JobData {
  webhook: TaskEvent;
}

/** A handler must end within `leaseSeconds`: after them the job counts as lost, and runs again. */
export type Handlers = { [Name in keyof JobData]: (job: Job<JobData[Name]>) => Promise<void> };

const pollMs = 1000;

export class Jobs {
  readonly #queue: Queue;
  readonly #handlers: Handlers;
  readonly #traces: Telemetry['traces'];
  /** Runs of jobs by name and outcome: `done` or `failed`, which is tried again. */
  readonly #runs: client.Counter;
  readonly #closing: AbortController = new AbortController();
  #working: Promise<unknown> = Promise.resolve();

  constructor(
    queue: Queue,
    handlers: Handlers,
    { traces, registry }: Pick<Telemetry, 'traces' | 'registry'>,
  ) {
    this.#queue = queue;
    this.#handlers = handlers;
    this.#traces = traces;
    this.#runs = new client.Counter({
      name: 'jobs_total',
      help: 'Runs of jobs, by name and outcome',
      labelNames: ['job', 'outcome'],
      registers: [registry],
    });
  }

  async start(): Promise<void> {
    const names = Object.keys(this.#handlers) as (keyof JobData)[];
    await this.#queue.start(names);
    this.#working = Promise.all(names.map((name) => this.#work(name)));
  }

  add<Name extends keyof JobData>(trx: Db, name: Name, data: JobData[Name]): Promise<void> {
    const { request_id: request } = currentSpan();
    const asker = typeof request === 'string' ? { request } : {};
    return this.#queue.add(trx, name, { data, trace: this.#traces.headers(), ...asker });
  }

  /** Takes no more jobs, and waits for those that run. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#working;
    await this.#queue.close();
  }

  async #work(name: keyof JobData): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      let jobs: readonly Job<Envelope>[] = [];
      try {
        jobs = await this.#queue.take(name);
        await Promise.all(jobs.map((job) => this.#run(name, job)));
      } catch (err) {
        // The database is away. Jobs whose end could not be noted run again.
        log.error({ err, job: name }, 'the queue of jobs failed');
        jobs = [];
      }
      // Ends early, by an error that says no more, when the jobs are closed.
      if (jobs.length === 0) await sleep(pollMs, undefined, { signal }).catch(() => {});
    }
  }

  /** What is logged inside has the job, and the id of the request that asked for it. */
  #run(name: keyof JobData, job: Job<Envelope>): Promise<void> {
    const { request } = job.data;
    const fields = { job: name, job_id: job.id, ...(request !== undefined && { request_id: request }) };
    return withSpan(fields, () => this.#runInSpan(name, job));
  }

  async #runInSpan(name: keyof JobData, { id, data: { data, trace } }: Job<Envelope>): Promise<void> {
    const attributes = { 'messaging.operation.name': 'process', 'messaging.message.id': id };
    try {
      const handle = this.#handlers[name];
      const options = { kind: 'consumer', attributes, parent: trace } as const;
      await this.#traces.run(`job ${name}`, options, () => handle({ id, data: data as never }));
    } catch (err) {
      this.#runs.inc({ job: name, outcome: 'failed' });
      log.warn({ err }, `job ${name} failed`);
      await this.#queue.failed(name, id, err);
      return;
    }
    await this.#queue.done(name, id);
    this.#runs.inc({ job: name, outcome: 'done' });
    log.info(`job ${name} done`);
  }
}

/** pg-boss on PostgreSQL, shared by all processes; a table of its own in the embedded database. */
export function queueOf({ DATABASE_URL }: Pick<Env, 'DATABASE_URL'>, db: Db): Queue {
  if (DATABASE_URL.startsWith('postgres')) return new PostgresQueue(DATABASE_URL);
  return new LocalQueue(db);
}
