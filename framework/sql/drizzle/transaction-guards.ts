// Drizzle: connections of transactions, which refuse statements once the transaction is over.
import type { TransactionGuard } from '../run-transaction.js';
import type { Session } from './session.js';

/** What belongs to the connection of one transaction. */
class GuardSlot {
  guard: TransactionGuard | undefined;
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
    if (hasEnded) throw new Error('the transaction has ended; await every query before it does');
    const { guard } = slot;
    const statement = () => method.apply(connection, args) as Promise<unknown>;
    if (!isEnding) return guard === undefined ? statement() : guarding(guard, statement);
    const ending = guard === undefined ? Promise.resolve(statement()) : guard.inTurn(statement, true);
    return ending.then((result) => {
      hasEnded = true;
      return result;
    });
  };
  const client = new Proxy(connection, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      if (name !== 'query' && name !== 'execute') return value.bind(target);
      return (...args: unknown[]) => run(value as () => unknown, args);
    },
  });
  slots.set(client, slot);
  return { client, ended: () => hasEnded };
}

function guarding(guard: TransactionGuard, statement: () => Promise<unknown>): Promise<unknown> {
  guard.check();
  const noted = async (): Promise<unknown> => {
    try {
      return await statement();
    } catch (error) {
      guard.failed(error);
      throw error;
    }
  };
  return guard.inTurn(noted, false);
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
