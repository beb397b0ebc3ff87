// Drizzle: converts errors and measures queries in the sessions of a handle, so that every use is covered.
import { type Statement, toDatabaseError } from '../database-errors.js';
import type { SlowQueryOptions } from '../database-options.js';
import { QueryWatch } from '../query-watch.js';
import { type Prepared, type Session, type SessionClass, sessionOf, type Transaction } from './session.js';
import { guardedClient, rowsInTransaction } from './transaction-guards.js';

const watches = new WeakMap<Session, QueryWatch>();

/** Watches a handle from now on. */
export function watchDrizzle(db: object, options: SlowQueryOptions): void {
  const session = sessionOf(db);
  const watch = watches.get(session) ?? new QueryWatch();
  watch.configure(options);
  instrument(session, watch);
}

function instrument(session: Session, watch: QueryWatch): void {
  if (watches.has(session)) return;
  watches.set(session, watch);
  const prepare = session.prepareQuery.bind(session);
  session.prepareQuery = (query, ...rest) =>
    watched(prepare(query, ...rest), { sql: query.sql, parameters: query.params }, watch, session);
  for (const name of ['batch', 'all'] as const) {
    const run = session[name]?.bind(session);
    if (run !== undefined) session[name] = (query) => watch.convert(() => run(query));
  }
  session.transaction = watchedTransaction(session, watch);
}

/**
 * Methods run on the statement itself, not on the proxy: one way to run it calls another, which must not count twice.
 */
function watched(prepared: Prepared, statement: Statement, watch: QueryWatch, session: Session): Prepared {
  const proxy: Prepared = new Proxy(prepared, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      const run = value.bind(target) as (...args: unknown[]) => unknown;
      if (RUNNING.has(name)) return (...args: unknown[]) => watch.run(statement, () => run(...args));
      if (name === 'iterator') {
        return (...args: unknown[]) => streamed(session, statement, run(...args) as AsyncIterable<unknown>);
      }
      return (...args: unknown[]) => {
        const result = run(...args);
        return result === target ? proxy : result;
      };
    },
  });
  return proxy;
}

async function* streamed(
  session: Session,
  statement: Statement,
  rows: AsyncIterable<unknown>,
): AsyncGenerator<unknown> {
  try {
    yield* rowsInTransaction(session, rows);
  } catch (error) {
    throw toDatabaseError(error, statement);
  }
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

/** A pool of pg, or a promise pool of mysql2. */
interface Pool {
  connect?(): Promise<PooledConnection>;
  getConnection?(): Promise<PooledConnection>;
}

interface PooledConnection {
  /** pg closes the connection if it gets an error; mysql2 takes no argument. */
  release(error?: Error | boolean): void;
  /** mysql2 alone. */
  destroy?(): void;
}

function isPool(client: object): client is Pool {
  if ('getConnection' in client) return true;
  return 'connect' in client && 'idleCount' in client;
}

/**
 * Drizzle itself loses the connection if `begin` fails, which a connection that has died meanwhile makes it do, and
 * returns it to the pool if `rollback` fails.
 */
async function pooledTransaction(
  session: Session,
  pool: Pool,
  inside: (tx: Transaction) => unknown,
  config: unknown,
): Promise<unknown> {
  const connection = (await (pool.getConnection?.() ?? pool.connect?.())) as PooledConnection;
  const { client, ended } = guardedClient(connection);
  const Class = session.constructor as SessionClass;
  const own = new Class(client, session.dialect, session.schema, session.options);
  try {
    return await own.transaction(inside, config);
  } finally {
    if (ended()) connection.release();
    else if (connection.destroy) connection.destroy();
    else connection.release(true);
  }
}
