// Drizzle: transactions that end with a request.

import type { RegisteredDb } from '../../context/register.js';
import { type ContextMiddleware, createMiddleware } from '../../extract/context-middleware.js';
import { checkValue } from '../../options/check.js';
import { objectWith, record } from '../../options/rules.js';
import { isSuccess, runTransaction, type TransactionSteps, WORK } from '../run-transaction.js';
import { sessionOf } from './session.js';
import { guardSession, probeSession } from './transaction-guards.js';
import { watchDrizzle } from './watch-drizzle.js';

/** A database of Drizzle that has transactions. */
export interface TransactionalDb {
  // biome-ignore lint/suspicious/noExplicitAny: the transactions of each database have their own type.
  transaction(work: (tx: any) => Promise<any>, config?: any): Promise<any>;
}

/** The transaction of a database, as its callback gets it. */
export type TransactionOf<Db> = Db extends {
  transaction(work: (tx: infer Trx) => Promise<infer _>, config?: infer _): unknown;
}
  ? Trx
  : never;

/** Options of a transaction of the database, such as `{ isolationLevel: 'serializable' }`. */
export type TransactionConfigOf<Db> = Db extends { transaction(work: never, config?: infer Config): unknown }
  ? Config
  : never;

/** A transaction of the database that the application declared, see `Register` of `fw`. */
export type RegisteredTransaction = TransactionOf<RegisteredDb>;

/**
 * Runs `work` in a transaction: commits when it resolves, rolls back when it throws, and when the request is
 * aborted because the client is gone or the time is up. Nothing runs in the transaction after that.
 *
 * ```ts
 * await transaction(ctx, async (trx) => trx.insert(notes).values({ text }));
 * ```
 *
 * @param ctx The context, or anything else with `db` and `signal`.
 * @throws What `work` throws, or the reason of the abort; Error inside of another transaction.
 */
export function transaction<Db extends TransactionalDb, Result>(
  ctx: { db(): Db; readonly signal: AbortSignal },
  work: (trx: TransactionOf<Db>) => Promise<Result>,
  config?: TransactionConfigOf<Db>,
): Promise<Result> {
  checkValue('transaction', 'the work', work, WORK);
  return runTransaction(ctx.signal, steps(ctx.db(), config), work);
}

/**
 * Middleware for the option `use` of routes and procedures: the handler gets `trx`. Commits when the answer is a
 * success, a status below 400; rolls back when something throws, when the answer is an error, and when the request
 * is aborted.
 *
 * ```ts
 * app.post(route('/notes', { use: [transactional()] }), async (ctx, { trx }) => …);
 * ```
 *
 * @param db `ctx.db()` by default; give it for procedures that are called in process, without a context.
 */
export function transactional(): ContextMiddleware<{ trx: RegisteredTransaction }>;
export function transactional<Db extends TransactionalDb>(
  db: Db | undefined,
  config?: TransactionConfigOf<Db>,
): ContextMiddleware<{ trx: TransactionOf<Db> }>;
export function transactional(db?: TransactionalDb, config?: unknown): ContextMiddleware<{ trx: never }> {
  if (db !== undefined) checkValue('transactional', 'the database', db, DRIZZLE);
  if (config !== undefined) checkValue('transactional', 'the options', config, CONFIG);
  return createMiddleware(async function transactional(call, next) {
    const handle = db ?? (call.ctx.db() as unknown as TransactionalDb);
    return runTransaction(
      call.signal,
      steps(handle, config),
      (trx) => next({ trx: trx as never }),
      isSuccess,
    );
  });
}

/** What a transaction can be given differs from driver to driver, and Drizzle reads it. */
const CONFIG = record("an object such as { isolationLevel: 'serializable' }");
const DRIZZLE = objectWith(['transaction'], 'a database of Drizzle, such as drizzleFromUrl() makes');

function steps<Db extends TransactionalDb>(db: Db, config: unknown): TransactionSteps<TransactionOf<Db>> {
  watchDrizzle(db, {});
  return {
    database: db,
    begin: (inside) => db.transaction(inside, config),
    guard: (trx, guard) => guardSession(sessionOf(trx as object), guard),
    probe: (trx) => probeSession(sessionOf(trx as object)),
  };
}
