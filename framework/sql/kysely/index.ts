// The public names of `fw/kysely`.
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
export { SqlRateLimitStore, SqlSessionStore, SqlTokenStore } from '../stores/kysely-stores.js';
export {
  createRateLimitTable,
  createSessionTable,
  createTokenTable,
  type SessionTableOptions,
} from '../stores/kysely-tables.js';
export type { SqlStoreOptions } from '../stores/table-options.js';
export { type KyselyOptions, kyselyFromUrl } from './from-url.js';
export {
  type MigrateOptions,
  type Migration,
  type MigrationProvider,
  type MigrationSource,
  migrateToLatest,
  migrations,
} from './migrations.js';
export { type TableColumns, tableDifferences } from './table-differences.js';
export {
  type RegisteredTransaction,
  type TransactionOptions,
  transaction,
  transactional,
} from './transaction.js';
