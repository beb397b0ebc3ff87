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
export { type DatabaseOf, type DrizzleOptions, drizzleFromUrl } from './from-url.js';
export { type MigrateOptions, migrateToLatest } from './migrate.js';
export {
  type RegisteredTransaction,
  type TransactionalDb,
  type TransactionConfigOf,
  type TransactionOf,
  transaction,
  transactional,
} from './transaction.js';
