// The entry `fw/drizzle` on Workers: without what connects to a server or a file, because the modules of Drizzle for that
// import their drivers, which a bundler would have to find.
import { ConfigError } from '../../config-error.js';

export { isUniqueViolation, UniqueViolationError } from '../database-errors.js';
export { SqlRateLimitStore, SqlSessionStore, SqlTokenStore } from '../stores/drizzle-stores.js';
export {
  mysqlRateLimitTable,
  mysqlSessionTable,
  mysqlTokenTable,
  pgRateLimitTable,
  pgSessionTable,
  pgTokenTable,
  sqliteRateLimitTable,
  sqliteSessionTable,
  sqliteTokenTable,
} from '../stores/drizzle-tables.js';
export { transaction, transactional } from './transaction.js';

const MIGRATE = 'migrate before a deployment, such as with wrangler d1 migrations apply';

/** @throws ConfigError on Workers. */
export const drizzleFromUrl: typeof import('./from-url.js').drizzleFromUrl = () =>
  refused(
    'drizzleFromUrl',
    "make the database with the module of Drizzle for it, such as 'drizzle-orm/d1', and give it to app.withDrizzle()",
  );

/** @throws ConfigError on Workers. */
export const migrateToLatest: typeof import('./migrations.js').migrateToLatest = () =>
  refused('migrateToLatest', MIGRATE);

/** @throws ConfigError on Workers. */
export const migrations: typeof import('./migrations.js').migrations = () => {
  throw notHere('migrations', MIGRATE);
};

/** @throws ConfigError on Workers. */
export const migrationCommand: typeof import('../migrations/command.js').migrationCommand = () =>
  refused('migrationCommand', MIGRATE);

async function refused(call: string, remedy: string): Promise<never> {
  throw notHere(call, remedy);
}

function notHere(call: string, remedy: string): ConfigError {
  return new ConfigError('FW_RUNTIME', `${call}() does not work on Workers; ${remedy}`);
}
