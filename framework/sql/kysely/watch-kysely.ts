// Kysely: converts errors and measures queries where a handle gets its connections, so that every use is covered.
import type { CompiledQuery, DatabaseConnection, Kysely, QueryExecutor } from 'kysely';
import { toDatabaseError, unavailable } from '../database-errors.js';
import type { SlowQueryOptions } from '../database-options.js';
import { QueryWatch } from '../query-watch.js';
import type { Ask, TransactionGuard } from '../run-transaction.js';
import { isEnding, OpenTransaction } from './open-transaction.js';

export interface KyselyWatchOptions extends SlowQueryOptions {
  /** For dialects that let queries wait for a connection without an end. */
  acquireTimeoutMs?: number;
}

/** A handle of any schema. */
// biome-ignore lint/suspicious/noExplicitAny: the schema does not matter.
export type AnyKysely = Kysely<any>;

type Consumer<Result> = (connection: DatabaseConnection) => Promise<Result>;

const watches = new WeakMap<QueryExecutor, KyselyWatch>();
const handedOut = new WeakMap<DatabaseConnection, HandedOut>();

/** Watches a handle from now on, and everything that is derived from it; the result is the same for all of these. */
export function watchKysely(db: AnyKysely, options: KyselyWatchOptions): object {
  const executor = db.getExecutor();
  const watch = watches.get(executor) ?? new KyselyWatch();
  watch.configure(options);
  if (!watches.has(executor)) instrument(executor, watch);
  return watch;
}

/** Makes a transaction ask the guard before each statement. */
export async function guardKysely(trx: AnyKysely, guard: TransactionGuard): Promise<void> {
  const connection = await trx.getExecutor().provideConnection(async (provided) => provided);
  const found = handedOut.get(connection);
  if (found === undefined) throw new Error('transaction() needs a database that withKysely() has attached');
  found.guard = guard;
}

/** Runs a statement in a transaction. */
export async function probeKysely(trx: AnyKysely): Promise<void> {
  await trx.getExecutor().provideConnection((connection) => connection.executeQuery(rawQuery('select 1')));
}

/** A statement without parameters, whatever a dialect makes of queries. */
function rawQuery(sql: string): CompiledQuery {
  return { sql, parameters: [], query: { kind: 'RawNode', sqlFragments: [sql], parameters: [] } } as never;
}

class KyselyWatch extends QueryWatch {
  #acquireTimeoutMs: number | undefined;

  override configure(options: KyselyWatchOptions): void {
    super.configure(options);
    this.#acquireTimeoutMs = options.acquireTimeoutMs ?? this.#acquireTimeoutMs;
  }

  provide<Result>(
    provide: (consumer: Consumer<Result>) => Promise<Result>,
    consumer: Consumer<Result>,
  ): Promise<Result> {
    let isAcquired = false;
    return new Promise((resolve, reject) => {
      const use: Consumer<Result> = async (connection) => {
        isAcquired = true;
        const given = new HandedOut(connection, this);
        try {
          return await consumer(given.proxy);
        } catch (error) {
          // The caller need not wait until the connection is free.
          if (given.transaction.mayBeOpen) reject(error);
          throw error;
        } finally {
          given.isReturned = true;
          if (given.transaction.mayBeOpen) await given.rollBack();
        }
      };
      const provided =
        this.#acquireTimeoutMs === undefined ? provide(use) : inTime(this.#acquireTimeoutMs, provide, use);
      provided.then(resolve, (error) => reject(isAcquired ? error : toDatabaseError(error)));
    });
  }
}

/** A connection while it belongs to one query or one transaction. */
class HandedOut {
  readonly proxy: DatabaseConnection;
  readonly transaction: OpenTransaction = new OpenTransaction();
  guard: TransactionGuard | undefined;
  isReturned = false;
  readonly #ask: Ask;

  constructor(connection: DatabaseConnection, watch: QueryWatch) {
    const ask: Ask = async (sql) => (await connection.executeQuery(rawQuery(sql))).rows;
    this.#ask = ask;
    const executeQuery: DatabaseConnection['executeQuery'] = async (query) => {
      this.#check(query.sql);
      const { guard } = this;
      const statement = () =>
        this.transaction.follow(query.sql, () =>
          watch.run(query, () => connection.executeQuery<never>(query)),
        );
      if (guard === undefined) return statement();
      return guard.inTurn(() => guard.noting(statement, ask), isEnding(query.sql));
    };
    const streamQuery = this.#streamed.bind(this, connection, ask);
    // Drivers use members of their own connections, which may be private.
    this.proxy = new Proxy(connection, {
      get(target, name) {
        if (name === 'executeQuery') return executeQuery;
        if (name === 'streamQuery') return streamQuery;
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    handedOut.set(this.proxy, this);
  }

  async *#streamed(
    connection: DatabaseConnection,
    ask: Ask,
    query: CompiledQuery,
    chunkSize?: number,
  ): AsyncIterableIterator<never> {
    this.#check(query.sql);
    const rows = connection.streamQuery<never>(query, chunkSize);
    const forget = this.guard?.closes(() => void rows.return?.().catch(() => {}));
    try {
      yield* rows as AsyncIterable<never>;
    } catch (error) {
      await this.guard?.failed(error, ask);
      throw toDatabaseError(error, query);
    } finally {
      forget?.();
    }
    // Rows that the end of the transaction has cut off are not all.
    this.#check(query.sql);
  }

  /** Ends what is left of a transaction. */
  rollBack(): Promise<void> {
    return this.transaction.rollBack(() => this.#ask('rollback'));
  }

  #check(sql: string): void {
    if (this.isReturned) throw new Error('the transaction has ended; await every query before it does');
    if (!isEnding(sql)) this.guard?.check();
  }
}

function inTime<Result>(
  ms: number,
  provide: (consumer: Consumer<Result>) => Promise<Result>,
  use: Consumer<Result>,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      reject(unavailable(new Error(`no connection was free within ${ms} ms`)));
    }, ms);
    const unlessLate: Consumer<Result> = async (connection) => {
      clearTimeout(timer);
      return isLate ? (undefined as Result) : use(connection);
    };
    provide(unlessLate)
      .then(resolve, reject)
      .finally(() => clearTimeout(timer));
  });
}

const DERIVING = ['withPlugin', 'withPlugins', 'withPluginAtFront', 'withoutPlugins'] as const;

function instrument(executor: QueryExecutor, watch: KyselyWatch): QueryExecutor {
  watches.set(executor, watch);
  const provide = executor.provideConnection.bind(executor);
  executor.provideConnection = (consumer) => watch.provide(provide, consumer);
  for (const name of DERIVING) {
    const derive = executor[name].bind(executor) as (...args: unknown[]) => QueryExecutor;
    executor[name] = (...args: unknown[]) => instrument(derive(...args), watch);
  }
  return executor;
}
