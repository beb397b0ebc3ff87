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
export { type KyselyOptions, kyselyFromUrl } from './from-url.js';
export { type MigrateOptions, migrateToLatest } from './migrate.js';
export {
  type RegisteredTransaction,
  type TransactionOptions,
  transaction,
  transactional,
} from './transaction.js';
