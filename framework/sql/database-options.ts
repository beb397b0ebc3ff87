// Connections: the options that both toolkits share, checked once.
import { ConfigError } from '../config-error.js';
import { checkTime } from '../runtime/check-time.js';

/** Options of an attached database. */
export interface WatchOptions {
  /**
   * Publishes an event `slow query` for every query that takes this many milliseconds or more, see `fw/tracing`.
   * None by default.
   */
  slowQueryMs?: number;
}

/** Options of a connection pool. */
export interface DatabaseOptions extends WatchOptions {
  /** How many connections the pool opens at most; 10 by default. With SQLite, Kysely uses a single one. */
  maxConnections?: number;
  /**
   * How long a query waits for a connection, in milliseconds, 5,000 by default. After that it fails with an FwError
   * 503. With SQLite it is also how long a statement waits for the lock of another process.
   */
  acquireTimeoutMs?: number;
  /** After how many milliseconds an idle connection is closed; 30,000 by default. Not for SQLite. */
  idleTimeoutMs?: number;
  /**
   * After how many milliseconds the server cancels a statement; never by default. MySQL does so for `SELECT` only,
   * SQLite has no such limit.
   */
  statementTimeoutMs?: number;
}

export interface ResolvedOptions {
  readonly maxConnections: number;
  readonly acquireTimeoutMs: number;
  readonly idleTimeoutMs: number;
  readonly statementTimeoutMs: number | undefined;
}

/** @throws ConfigError when a number is out of its range. */
export function resolveOptions(who: string, options: DatabaseOptions): ResolvedOptions {
  const {
    maxConnections = 10,
    acquireTimeoutMs = 5_000,
    idleTimeoutMs = 30_000,
    statementTimeoutMs,
  } = options;
  if (!Number.isInteger(maxConnections) || maxConnections < 1) {
    throw new ConfigError(
      'FW_OPTION',
      `${who}: maxConnections is ${maxConnections}; give a whole number, 1 or more`,
    );
  }
  checkWatch(who, options);
  return {
    maxConnections,
    acquireTimeoutMs: checkTime(`acquireTimeoutMs of ${who}`, acquireTimeoutMs, 1),
    idleTimeoutMs: checkTime(`idleTimeoutMs of ${who}`, idleTimeoutMs, 1),
    statementTimeoutMs:
      statementTimeoutMs === undefined
        ? undefined
        : checkTime(`statementTimeoutMs of ${who}`, statementTimeoutMs, 1),
  };
}

/** @throws ConfigError when `slowQueryMs` is out of its range. */
export function checkWatch(who: string, { slowQueryMs }: WatchOptions): void {
  if (slowQueryMs !== undefined) checkTime(`slowQueryMs of ${who}`, slowQueryMs, 0);
}
