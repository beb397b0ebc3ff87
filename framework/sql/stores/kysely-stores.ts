// SQL: the stores of sessions, rate limits and tokens for Kysely.
import { checkOptions } from '../../options/check.js';
import type { AnyKysely } from '../kysely/watch-kysely.js';
import { kyselyDatabase } from './kysely-database.js';
import { SqlRateLimits } from './sql-rate-limits.js';
import { SqlSessions } from './sql-sessions.js';
import { SqlTokens } from './sql-tokens.js';
import {
  RATE_LIMITS_TABLE,
  SESSIONS_TABLE,
  type SqlStoreOptions,
  STORE_RULES,
  TOKENS_TABLE,
} from './table-options.js';

/**
 * Keeps sessions in a table of the app's database, which `createSessionTable` makes. Each change locks the row of its
 * session, so concurrent requests lose no value that they do not both write. A new session removes up to ten that have
 * expired. While the database is away, requests with a session are answered 503.
 *
 * ```ts
 * app.use(session(new SqlSessionStore(db)));
 * ```
 */
export class SqlSessionStore extends SqlSessions {
  /** @throws ConfigError if the database is not a Kysely, or an option is malformed. */
  constructor(db: AnyKysely, options: SqlStoreOptions = {}) {
    const { table = SESSIONS_TABLE } = checkOptions('SqlSessionStore', options, STORE_RULES);
    super(kyselyDatabase('SqlSessionStore', db), table);
  }
}

/**
 * Shares the buckets of `rateLimiter` between processes in a table of the app's database, which
 * `createRateLimitTable` makes: each request changes its row in one atomic step, by the server's clock. Some requests
 * remove buckets that are full again. While the database is away, the option `storeErrors` of the limiter decides.
 *
 * ```ts
 * app.use(rateLimiter({ store: new SqlRateLimitStore(db) }));
 * ```
 */
export class SqlRateLimitStore extends SqlRateLimits {
  /** @throws ConfigError if the database is not a Kysely, or an option is malformed. */
  constructor(db: AnyKysely, options: SqlStoreOptions = {}) {
    const { table = RATE_LIMITS_TABLE } = checkOptions('SqlRateLimitStore', options, STORE_RULES);
    super(kyselyDatabase('SqlRateLimitStore', db), table);
  }
}

/**
 * Keeps one-time tokens, refresh tokens and API keys of `fw/accounts` in a table of the app's database, which
 * `createTokenTable` makes. A transaction is a database, too: what is done in it is done with it, or not at all. A new
 * token removes up to ten that have expired.
 *
 * ```ts
 * const resets = new OneTimeTokens({ store: new SqlTokenStore(db), purpose: 'reset-password' });
 * ```
 */
export class SqlTokenStore extends SqlTokens {
  /** @throws ConfigError if the database is not a Kysely, or an option is malformed. */
  constructor(db: AnyKysely, options: SqlStoreOptions = {}) {
    const { table = TOKENS_TABLE } = checkOptions('SqlTokenStore', options, STORE_RULES);
    super(kyselyDatabase('SqlTokenStore', db), table);
  }
}
