// The entry `fw/drizzle` on Workers: without what connects to a server or a file, because the modules of Drizzle for that
// import their drivers, which a bundler would have to find.
import { ConfigError } from '../../config-error.js';

export { isUniqueViolation, UniqueViolationError } from '../database-errors.js';
export { transaction, transactional } from './transaction.js';

/** @throws ConfigError on Workers. */
export const drizzleFromUrl: typeof import('./from-url.js').drizzleFromUrl = () =>
  refused(
    'drizzleFromUrl',
    "make the database with the module of Drizzle for it, such as 'drizzle-orm/d1', and give it to app.withDrizzle()",
  );

/** @throws ConfigError on Workers. */
export const migrateToLatest: typeof import('./migrate.js').migrateToLatest = () =>
  refused('migrateToLatest', 'migrate before a deployment, such as with wrangler d1 migrations apply');

async function refused(call: string, remedy: string): Promise<never> {
  throw new ConfigError('FW_RUNTIME', `${call}() does not work on Workers; ${remedy}`);
}
