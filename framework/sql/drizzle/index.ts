// The public names of `fw/drizzle`.
export {
  isUniqueViolation,
  UniqueViolationError,
  /** @deprecated Use `UniqueViolationError`. */
  UniqueViolationError as UniqueViolation,
} from '../database-errors.js';
export type {
  DatabaseOptions,
  SlowQueryOptions,
  /** @deprecated Use `SlowQueryOptions`. */
  SlowQueryOptions as WatchOptions,
} from '../database-options.js';
export { type MigrationCommandOptions, migrationCommand } from '../migrations/command.js';
export type {
  MigrationState,
  MigrationStatus,
  Migrations,
  MigrationsOptions,
} from '../migrations/migrations.js';
export { SqlRateLimitStore, SqlSessionStore, SqlTokenStore } from '../stores/drizzle-stores.js';
export {
  mysqlRateLimitTable,
  mysqlSessionTable,
  mysqlTokenTable,
  pgRateLimitTable,
  pgSessionTable,
  pgTokenTable,
  type SessionTableOptions,
  sqliteRateLimitTable,
  sqliteSessionTable,
  sqliteTokenTable,
} from '../stores/drizzle-tables.js';
export type { SqlStoreOptions } from '../stores/table-options.js';
export { type DatabaseOf, type DrizzleOptions, drizzleFromUrl } from './from-url.js';
export {
  type MigrateOptions,
  type MigrationSource,
  migrateToLatest,
  migrations,
} from './migrations.js';
export {
  type RegisteredTransaction,
  type TransactionalDb,
  type TransactionConfigOf,
  type TransactionOf,
  transaction,
  transactional,
} from './transaction.js';
