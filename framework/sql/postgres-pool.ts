// Connections: a pool for PostgreSQL whose lost connections do not end the process.
import type { Pool } from 'pg';
import type { ResolvedOptions } from './database-options.js';
import { missingDriver, reportLost } from './load-driver.js';

export async function postgresPool(
  who: string,
  url: string,
  { maxConnections, acquireTimeoutMs, idleTimeoutMs, statementTimeoutMs }: ResolvedOptions,
): Promise<Pool> {
  const { default: pg } = await import('pg').catch(missingDriver(who, 'pg@8'));
  const pool = new pg.Pool({
    connectionString: url,
    max: maxConnections,
    connectionTimeoutMillis: acquireTimeoutMs,
    idleTimeoutMillis: idleTimeoutMs,
    keepAlive: true,
    ...(statementTimeoutMs !== undefined && { statement_timeout: statementTimeoutMs }),
  });
  // The pool listens only while a connection is idle. One that is lost between two queries of a transaction would
  // end the process.
  pool.on('connect', (client) => client.on('error', reportLost));
  pool.on('error', () => {});
  return pool;
}
