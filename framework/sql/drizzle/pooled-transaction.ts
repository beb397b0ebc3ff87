// Drizzle: a transaction on a connection of a pool, which always gets back a connection without one.
import type { Session, SessionClass, Transaction } from './session.js';
import { guardedClient } from './transaction-guards.js';

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

export function isPool(client: object): client is Pool {
  if ('getConnection' in client) return true;
  return 'connect' in client && 'idleCount' in client;
}

/**
 * Drizzle itself loses the connection if `begin` fails, which a connection that has died meanwhile makes it do, and
 * returns it to the pool if `rollback` fails.
 */
export async function pooledTransaction(
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
