// Connections: the options that both toolkits share, checked once.
import { checkOptions } from '../options/check.js';
import { milliseconds, type Rules, whole } from '../options/rules.js';

/** Options of an attached database. */
export interface SlowQueryOptions {
  /**
   * Publishes an event `slow query` for every query that takes this many milliseconds or more, see `fw/tracing`.
   * None by default.
   */
  slowQueryMs?: number;
}

/** Options of a connection pool. */
export interface DatabaseOptions extends SlowQueryOptions {
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

const WATCH_RULES: Rules<SlowQueryOptions> = { slowQueryMs: milliseconds(0) };

/** Rules of the options that both toolkits share. @internal */
export const DATABASE_RULES: Rules<DatabaseOptions> = {
  ...WATCH_RULES,
  maxConnections: whole(1),
  acquireTimeoutMs: milliseconds(1),
  idleTimeoutMs: milliseconds(1),
  statementTimeoutMs: milliseconds(1),
};

/** With the defaults, of options that were checked. */
export function resolveOptions(options: DatabaseOptions): ResolvedOptions {
  const { maxConnections = 10, acquireTimeoutMs = 5_000, idleTimeoutMs = 30_000 } = options;
  const { statementTimeoutMs } = options;
  return { maxConnections, acquireTimeoutMs, idleTimeoutMs, statementTimeoutMs };
}

/** @throws ConfigError if an option is unknown or out of its range. */
export function checkWatch(who: string, options: SlowQueryOptions): SlowQueryOptions {
  return checkOptions(who, options, WATCH_RULES);
}
