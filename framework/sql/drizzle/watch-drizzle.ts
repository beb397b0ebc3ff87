// Drizzle: converts errors and measures queries in the sessions of a handle, so that every use is covered.
import { toDatabaseError } from '../database-errors.js';
import type { WatchOptions } from '../database-options.js';
import { QueryWatch } from '../query-watch.js';
import { isPool, pooledTransaction } from './pooled-transaction.js';
import { type Prepared, type Session, sessionOf, type Transaction } from './session.js';

const watches = new WeakMap<Session, QueryWatch>();

/** Watches a handle from now on. */
export function watchDrizzle(db: object, options: WatchOptions): void {
  const session = sessionOf(db);
  const watch = watches.get(session) ?? new QueryWatch();
  watch.configure(options);
  instrument(session, watch);
}

function instrument(session: Session, watch: QueryWatch): void {
  if (watches.has(session)) return;
  watches.set(session, watch);
  const prepare = session.prepareQuery.bind(session);
  session.prepareQuery = (query, ...rest) => watched(prepare(query, ...rest), query.sql, watch);
  for (const name of ['batch', 'all'] as const) {
    const run = session[name]?.bind(session);
    if (run !== undefined) session[name] = (query) => watch.convert(() => run(query));
  }
  session.transaction = watchedTransaction(session, watch);
}

/**
 * Methods run on the statement itself, not on the proxy: one way to run it calls another, which must not count twice.
 */
function watched(prepared: Prepared, sql: string, watch: QueryWatch): Prepared {
  const proxy: Prepared = new Proxy(prepared, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      const run = value.bind(target) as (...args: unknown[]) => unknown;
      if (RUNNING.has(name)) return (...args: unknown[]) => watch.run(sql, () => run(...args));
      return (...args: unknown[]) => {
        const result = run(...args);
        return result === target ? proxy : result;
      };
    },
  });
  return proxy;
}

const RUNNING: ReadonlySet<string | symbol> = new Set(['execute', 'all', 'run', 'get', 'values']);

function watchedTransaction(session: Session, watch: QueryWatch): Session['transaction'] {
  const original = session.transaction.bind(session);
  return (work, config) => {
    let failure: { error: unknown } | undefined;
    const failed = (error: unknown): never => {
      failure = { error };
      throw error;
    };
    const inside = (tx: Transaction): unknown => {
      instrument(tx.session, watch);
      try {
        const result = work(tx);
        return result instanceof Promise ? result.catch(failed) : result;
      } catch (error) {
        return failed(error);
      }
    };
    /** What `work` throws passes as it is; all else comes from the driver. */
    const converted = (error: unknown): never => {
      throw failure?.error === error ? error : toDatabaseError(error);
    };
    try {
      const result = isPool(session.client)
        ? pooledTransaction(session, session.client, inside, config)
        : original(inside, config);
      return result instanceof Promise ? result.catch(converted) : result;
    } catch (error) {
      return converted(error);
    }
  };
}
