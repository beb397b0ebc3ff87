// What the jobs need of a queue, whichever database it is in.
import type { TraceHeaders } from 'fw/opentelemetry';
import type { Db } from '../database/database.ts';

/** How long a process may work on a job before it counts as lost, and runs again. */
export const leaseSeconds = 10;

/** How often a job that fails is tried again: after a second, two, four and so on, which is more than an hour. */
export const retries = 12;

/** A job as a queue keeps it: with the trace of the request that asked for it. */
export interface Envelope {
  data: unknown;
  trace: TraceHeaders;
  /** Its id, if a request has asked for it. */
  request?: string;
}

/** What a handler gets. A job may run twice, such as after a crash: the id tells that it is the same one. */
export interface Job<Data> {
  id: string;
  data: Data;
}

/** Where jobs wait. */
export interface Queue {
  start(names: readonly string[]): Promise<void>;
  add(trx: Db, name: string, job: Envelope): Promise<void>;
  /** Some of the jobs whose time has come, which nobody else gets meanwhile. */
  take(name: string): Promise<readonly Job<Envelope>[]>;
  done(name: string, id: string): Promise<void>;
  failed(name: string, id: string, error: unknown): Promise<void>;
  close(): Promise<void>;
}
