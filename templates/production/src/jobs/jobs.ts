// Jobs: work that happens after the answer, again and again until it succeeds. A job is added in the transaction of the
// change that asks for it, so that there is one exactly if the change is stored.
import type { Db } from '../database/database.ts';
import type { Env } from '../env.ts';
import type { Log } from '../operations/log.ts';
import type { Metrics } from '../operations/metrics.ts';
import { inSpan, outgoingTrace, type TraceFields } from '../operations/tracing.ts';
import { LocalQueue } from './local-queue.ts';
import { PostgresQueue } from './postgres-queue.ts';
import type { TaskEvent } from './webhook.ts';

/** The jobs of the app by name, with the data of each, which is kept as JSON. */
export interface JobData {
  webhook: TaskEvent;
}

/** What a handler gets. A job may run twice, such as after a crash: the id tells that it is the same one. */
export interface Job<Data> {
  id: string;
  data: Data;
}

export type Handlers = { [Name in keyof JobData]: (job: Job<JobData[Name]>) => Promise<void> };

/** A job as a queue keeps it: with the trace of the request that asked for it. */
export interface Envelope {
  data: unknown;
  trace: TraceFields;
}

/** Where jobs wait. A handler that throws is tried again: after a second, two, four, twelve times in all, which is about an hour. */
export interface Queue {
  start(
    names: readonly string[],
    run: (name: string, id: string, job: Envelope) => Promise<void>,
  ): Promise<void>;
  add(trx: Db, name: string, job: Envelope): Promise<void>;
  /** Waits for the jobs that run, and takes no more. */
  close(): Promise<void>;
}

export class Jobs {
  readonly #queue: Queue;

  private constructor(queue: Queue) {
    this.#queue = queue;
  }

  static async start(
    queue: Queue,
    handlers: Handlers,
    metrics: Metrics,
    log: Pick<Log, 'warn'>,
  ): Promise<Jobs> {
    await queue.start(Object.keys(handlers), async (name, id, { data, trace }) => {
      const handler = handlers[name as keyof JobData];
      const attributes = { 'messaging.operation.name': 'process', 'messaging.message.id': id };
      try {
        await inSpan(
          `job ${name}`,
          'consumer',
          attributes,
          () => handler({ id, data: data as never }),
          trace,
        );
        metrics.jobs.inc({ job: name, outcome: 'done' });
      } catch (err) {
        metrics.jobs.inc({ job: name, outcome: 'failed' });
        log.warn({ err, job: name, job_id: id }, `job ${name} failed`);
        throw err;
      }
    });
    return new Jobs(queue);
  }

  add<Name extends keyof JobData>(trx: Db, name: Name, data: JobData[Name]): Promise<void> {
    return this.#queue.add(trx, name, { data, trace: outgoingTrace() });
  }

  close(): Promise<void> {
    return this.#queue.close();
  }
}

/** pg-boss on PostgreSQL, shared by all processes; a table of its own in the embedded database. */
export function queueOf({ DATABASE_URL }: Pick<Env, 'DATABASE_URL'>, db: Db, log: Log): Queue {
  if (DATABASE_URL.startsWith('postgres')) return new PostgresQueue(DATABASE_URL, log);
  return new LocalQueue(db, log);
}
