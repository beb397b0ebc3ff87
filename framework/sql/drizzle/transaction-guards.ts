// Drizzle: connections of transactions, which refuse statements once the transaction is over.
import type { Readable } from 'node:stream';
import type { Ask, TransactionGuard } from '../run-transaction.js';
import type { Session } from './session.js';

/** What belongs to the connection of one transaction. */
class GuardSlot {
  guard: TransactionGuard | undefined;
  /** Rows that mysql2 is still receiving: the server answers nothing else before they are read or given up. */
  readonly rows = new Set<Readable>();
}

/** Transactions of libsql's client that have a guard. */
const guarded = new WeakSet<object>();
const slots = new WeakMap<object, GuardSlot>();

const ENDING = /^(?:commit|rollback)$/i;

/**
 * A client for one transaction. `ended` says whether it was committed or rolled back, so that the connection can
 * serve another one.
 */
export function guardedClient(connection: object): { client: object; ended: () => boolean } {
  const slot = new GuardSlot();
  let hasEnded = false;
  const run = (method: (...args: unknown[]) => unknown, args: unknown[]): unknown => {
    const isEnding = ENDING.test(textOf(args[0]));
    if (hasEnded) throw hasEndedError();
    if (isEnding) for (const rows of slot.rows) rows.destroy();
    const { guard } = slot;
    const statement = () => method.apply(connection, args) as Promise<unknown>;
    if (!isEnding) return guard === undefined ? statement() : guarding(guard, statement, asking(connection));
    const ending = guard === undefined ? Promise.resolve(statement()) : guard.inTurn(statement, true);
    return ending.then((result) => {
      hasEnded = true;
      return result;
    });
  };
  const client = new Proxy(connection, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (name === 'connection') return streaming(value as Queried, slot, () => hasEnded);
      if (typeof value !== 'function') return value;
      if (name !== 'query' && name !== 'execute') return value.bind(target);
      return (...args: unknown[]) => run(value as () => unknown, args);
    },
  });
  slots.set(client, slot);
  return { client, ended: () => hasEnded };
}

function hasEndedError(): Error {
  return new Error('the transaction has ended; await every query before it does');
}

/** The connection below the promises of mysql2, which rows one by one are read from. */
interface Queried {
  query(...args: unknown[]): { stream(...args: unknown[]): Readable };
}

function streaming(connection: Queried, slot: GuardSlot, hasEnded: () => boolean): Queried {
  const query: Queried['query'] = (...args) => {
    if (hasEnded()) throw hasEndedError();
    slot.guard?.check();
    const command = connection.query(...args);
    const stream = command.stream.bind(command);
    command.stream = (...options) => {
      const rows = stream(...options);
      slot.rows.add(rows);
      return rows.once('close', () => slot.rows.delete(rows));
    };
    return command;
  };
  return new Proxy(connection, {
    get(target, name) {
      if (name === 'query') return query;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/** The rows of a statement, which end with the transaction of the session, or with the loop that reads them. */
export async function* rowsInTransaction(
  { client }: Session,
  rows: AsyncIterable<unknown>,
): AsyncGenerator<unknown> {
  const slot = slots.get(client);
  try {
    yield* rows;
  } catch (error) {
    await slot?.guard?.failed(error, asking(client));
    throw error;
  } finally {
    for (const one of slot?.rows ?? []) if (one.listenerCount('data') === 0) one.destroy();
  }
  // Rows that the end of the transaction has cut off are not all.
  slot?.guard?.check();
}

function guarding(guard: TransactionGuard, statement: () => Promise<unknown>, ask: Ask): Promise<unknown> {
  guard.check();
  return guard.inTurn(() => guard.noting(statement, ask), false);
}

/** mysql2 gives the rows, and what it knows of their columns. */
function asking(client: object): Ask {
  const { query } = client as { query(sql: string): Promise<readonly [readonly unknown[], unknown]> };
  return async (sql) => (await query.call(client, sql))[0];
}

/** Runs a statement in the transaction of a session, where a failed one may have ended it. */
export async function probeSession({ client }: Session): Promise<void> {
  await (client as { query?(sql: string): Promise<unknown> }).query?.('select 1');
}

/** pg takes `{ text }`, mysql2 `{ sql }`, and both a string. */
function textOf(query: unknown): string {
  if (typeof query === 'string') return query;
  const { text, sql } = query as { text?: string; sql?: string };
  return text ?? sql ?? '';
}

/**
 * Makes the transaction of a session ask the guard before each statement. A savepoint has the session of its
 * transaction, and keeps that one's guard.
 */
export function guardSession(session: Session, guard: TransactionGuard): void {
  const slot = slots.get(session.client);
  if (slot !== undefined) {
    slot.guard ??= guard;
    return;
  }
  // libsql's client has a transaction of its own, which it never reuses.
  const { tx } = session;
  if (tx === undefined) throw new Error('transaction() needs a pool of pg or mysql2, or a client of libsql');
  if (guarded.has(tx)) return;
  session.tx = new Proxy(tx, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return async (...args: unknown[]) => {
        guard.check();
        return value.apply(target, args);
      };
    },
  });
  guarded.add(session.tx);
}
