// The public names of `fw/drizzle`.
export { isUniqueViolation, UniqueViolation } from '../database-errors.js';
export type { DatabaseOptions, WatchOptions } from '../database-options.js';
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
