// SQL of the framework's own tables: their names.
import { matching, type Rule, type Rules } from '../../options/rules.js';

/** Options of `SqlSessionStore`, `SqlRateLimitStore` and `SqlTokenStore`. */
export interface SqlStoreOptions {
  /** The name of the table: `sessions`, `rate_limits` or `tokens` by default. `app.sessions` is one of a schema. */
  table?: string;
}

export const SESSIONS_TABLE = 'sessions';
export const RATE_LIMITS_TABLE = 'rate_limits';
export const TOKENS_TABLE = 'tokens';

/** The longest name of PostgreSQL has 63 bytes. */
export const TABLE_NAME: Rule = matching(
  /^(?:[A-Za-z_][A-Za-z0-9_]{0,62}\.)?[A-Za-z_][A-Za-z0-9_]{0,62}$/,
  "the name of a table, of letters, digits and '_', such as 'sessions' or 'app.sessions'",
);

export const STORE_RULES: Rules<SqlStoreOptions> = { table: TABLE_NAME };
