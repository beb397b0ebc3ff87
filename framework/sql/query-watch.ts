// Queries: measures each one and converts its error, for the handle of either toolkit.

import diagnostics from 'node:diagnostics_channel';
import { isPromise, toPromise } from '../promises.js';
import { isTraced, publishEvent } from '../tracing/event.js';
import { isHeard, isRecorded, traceStep } from '../tracing/trace-channel.js';
import { tracedWork, type WorkTrace } from '../tracing/traced-work.js';
import { LONGEST_SQL, type Statement, toDatabaseError } from './database-errors.js';
import type { SlowQueryOptions } from './database-options.js';

export class QueryWatch {
  #slowQueryMs: number | undefined;

  /** The handle may be given options when it is made, and when it is attached. */
  configure({ slowQueryMs }: SlowQueryOptions): void {
    if (slowQueryMs !== undefined) this.#slowQueryMs = slowQueryMs;
  }

  /** Runs a query, which is synchronous with some drivers. @throws FwError instead of the driver's error. */
  run<Result>(statement: Statement, work: () => Result): Result {
    const { sql, parameters } = statement;
    const run = (): Result => traceQuery(sql, () => this.#run(statement, work));
    if (!isRecorded()) return run();
    return traceStep({ kind: 'database', name: sql.slice(0, LONGEST_SQL), parameters }, run);
  }

  #run<Result>(statement: Statement, work: () => Result): Result {
    const { sql } = statement;
    const start = this.#slowQueryMs === undefined || !isTraced() ? undefined : performance.now();
    let result: Result;
    try {
      result = work();
    } catch (error) {
      this.#ended(sql, start);
      throw toDatabaseError(error, statement);
    }
    if (!isPromise(result)) {
      this.#ended(sql, start);
      return result;
    }
    return this.#settled(statement, start, toPromise(result)) as Result;
  }

  /** For what runs other queries, which are measured by themselves. @throws FwError instead of the driver's error. */
  convert<Result>(work: () => Result): Result {
    try {
      const result = work();
      return (isPromise(result) ? toPromise(result).catch(rethrow) : result) as Result;
    } catch (error) {
      return rethrow(error);
    }
  }

  async #settled(
    statement: Statement,
    start: number | undefined,
    result: Promise<unknown>,
  ): Promise<unknown> {
    try {
      return await result;
    } catch (error) {
      throw toDatabaseError(error, statement);
    } finally {
      this.#ended(statement.sql, start);
    }
  }

  #ended(sql: string, start: number | undefined): void {
    if (start === undefined) return;
    const durationMs = performance.now() - start;
    if (durationMs < (this.#slowQueryMs ?? Number.POSITIVE_INFINITY)) return;
    publishEvent('warn', 'slow query', { sql: sql.slice(0, LONGEST_SQL), durationMs });
  }
}

function rethrow(thrown: unknown): never {
  throw toDatabaseError(thrown);
}

/** What the events of one query share; subscribers may add to it. */
export interface QueryTrace extends WorkTrace {
  /** Without its parameters. */
  readonly sql: string;
}

const QUERIES = diagnostics.tracingChannel<unknown, QueryTrace>('fw:query');

/** Runs a query, and publishes its start and its end if there is a subscriber. */
function traceQuery<Result>(sql: string, work: () => Result): Result {
  return isHeard(QUERIES) ? tracedWork(QUERIES, { sql }, work) : work();
}
