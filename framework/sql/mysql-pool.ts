// Connections: a pool for MySQL and MariaDB that does not let queries wait without an end.
import type { Pool, PoolConnection } from 'mysql2';
import type { ResolvedOptions } from './database-options.js';
import { missingDriver, reportLost } from './load-driver.js';

type Acquired = (error: NodeJS.ErrnoException | null, connection: PoolConnection) => unknown;

export async function mysqlPool(
  who: string,
  url: string,
  { maxConnections, acquireTimeoutMs, idleTimeoutMs, statementTimeoutMs }: ResolvedOptions,
): Promise<Pool> {
  const { createPool } = await import('mysql2').catch(missingDriver(who, 'mysql2@3'));
  const pool = createPool({
    uri: url,
    connectionLimit: maxConnections,
    // The driver closes idle connections only if fewer may be idle than open.
    maxIdle: Math.max(1, maxConnections - 1),
    idleTimeout: idleTimeoutMs,
    connectTimeout: acquireTimeoutMs,
    enableKeepAlive: true,
  });
  pool.on('connection', (connection) => {
    connection.on('error', reportLost);
    // The error of a connection that is lost meanwhile is that of the query after this one too.
    if (statementTimeoutMs !== undefined) connection.query(limit(statementTimeoutMs), () => {});
  });
  limitWaiting(pool, acquireTimeoutMs);
  return pool;
}

/** MariaDB takes seconds and skips the comments of MySQL 5.7; MySQL skips those of MariaDB. */
function limit(ms: number): string {
  const seconds = ms / 1000;
  return `SET @fw = 0 /*M!100100 , SESSION max_statement_time = ${seconds} */ /*!50708 , SESSION max_execution_time = ${ms} */`;
}

/** The driver has no limit for how long a query waits for a free connection. */
function limitWaiting(pool: Pool, ms: number): void {
  const getConnection = pool.getConnection.bind(pool);
  pool.getConnection = (acquired: Acquired) => {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      acquired(waitedTooLong(ms), undefined as never);
    }, ms);
    getConnection((error, connection) => {
      clearTimeout(timer);
      if (!isLate) acquired(error, connection);
      else if (!error) connection.release();
    });
  };
}

function waitedTooLong(ms: number): NodeJS.ErrnoException {
  return Object.assign(new Error(`no connection of the pool was free within ${ms} ms`), {
    code: 'ETIMEDOUT',
  });
}
