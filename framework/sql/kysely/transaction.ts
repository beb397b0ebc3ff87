// Kysely: transactions that end with a request.

import type { IsolationLevel, Kysely, Transaction } from 'kysely';
import type { RegisteredDb } from '../../context/register.js';
import { type ContextMiddleware, createMiddleware } from '../../extract/context-middleware.js';
import { checkOptions, checkValue } from '../../options/check.js';
import { objectWith, oneOf, type Rules } from '../../options/rules.js';
import {
  isSuccess,
  nestedTransaction,
  runTransaction,
  type TransactionSteps,
  WORK,
} from '../run-transaction.js';
import { guardKysely, probeKysely, watchKysely } from './watch-kysely.js';

/** Options of `transaction` and `transactional`. */
export interface TransactionOptions {
  /** The server's own by default; SQLite has none. */
  isolationLevel?: IsolationLevel;
}

/** A transaction of the database that the application declared, see `Register` of `fw`. */
export type RegisteredTransaction =
  RegisteredDb extends Kysely<infer Database> ? Transaction<Database> : Transaction<unknown>;

/**
 * Runs `work` in a transaction: commits when it resolves, rolls back when it throws, and when the request is
 * aborted because the client is gone or the time is up. Nothing runs in the transaction after that.
 *
 * ```ts
 * await transaction(ctx, async (trx) => trx.insertInto('notes').values({ text }).execute());
 * ```
 *
 * @param ctx The context, or anything else with `db` and `signal`.
 * @throws What `work` throws, or the reason of the abort; Error inside of another transaction; ConfigError if an option is unknown.
 */
export function transaction<Database, Result>(
  ctx: { db(): Kysely<Database>; readonly signal: AbortSignal },
  work: (trx: Transaction<Database>) => Promise<Result>,
  options: TransactionOptions = {},
): Promise<Result> {
  checkValue('transaction', 'the work', work, WORK);
  const given = checkOptions('transaction', options, RULES);
  return runTransaction(ctx.signal, steps(ctx.db(), given), work);
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
export function transactional<Database>(
  db: Kysely<Database> | undefined,
  options?: TransactionOptions,
): ContextMiddleware<{ trx: Transaction<Database> }>;
export function transactional(
  db?: Kysely<unknown>,
  options: TransactionOptions = {},
): ContextMiddleware<{ trx: Transaction<unknown> }> {
  if (db !== undefined) checkValue('transactional', 'the database', db, KYSELY);
  const given = checkOptions('transactional', options, RULES);
  return createMiddleware(async function transactional(call, next) {
    const handle = db ?? (call.ctx.db() as unknown as Kysely<unknown>);
    return runTransaction(call.signal, steps(handle, given), (trx) => next({ trx }), isSuccess);
  });
}

const KYSELY = objectWith(['getExecutor'], 'a database of Kysely, such as kyselyFromUrl() makes');

const RULES: Rules<TransactionOptions> = {
  isolationLevel: oneOf('read uncommitted', 'read committed', 'repeatable read', 'serializable', 'snapshot'),
};

function steps<Database>(
  db: Kysely<Database>,
  { isolationLevel }: TransactionOptions,
): TransactionSteps<Transaction<Database>> {
  return {
    database: watchKysely(db, {}),
    async begin(inside) {
      if (db.isTransaction) throw nestedTransaction();
      const builder = db.transaction();
      return (isolationLevel === undefined ? builder : builder.setIsolationLevel(isolationLevel)).execute(
        inside,
      );
    },
    guard: guardKysely,
    probe: probeKysely,
  };
}
