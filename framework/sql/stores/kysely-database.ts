// SQL of the framework's own tables: runs statements with Kysely.
import { MysqlAdapter, PostgresAdapter, SqliteAdapter, sql } from 'kysely';
import { ConfigError } from '../../config-error.js';
import { checkValue } from '../../options/check.js';
import { objectWith, type Rule } from '../../options/rules.js';
import type { Engine } from '../database-url.js';
import type { AnyKysely } from '../kysely/watch-kysely.js';
import type { Runner, SqlDatabase } from './statement.js';

/** What a Kysely is, for the checks of arguments. */
export const KYSELY: Rule = objectWith(
  ['getExecutor', 'transaction', 'withoutPlugins'],
  'a database of Kysely, such as kyselyFromUrl() makes',
);

/**
 * Plugins, such as one for names of columns, change nothing here.
 *
 * @throws ConfigError if it is not a Kysely, or one of another database.
 */
export function kyselyDatabase(who: string, given: AnyKysely): SqlDatabase {
  const db = checkValue(who, 'the database', given, KYSELY).withoutPlugins();
  return {
    engine: engineOf(who, db),
    ...runnerOf(db),
    transaction: (work) => db.transaction().execute((trx) => work(runnerOf(trx))),
  };
}

/** @throws ConfigError if the dialect is another one. */
export function engineOf(who: string, db: AnyKysely): Engine {
  const { adapter } = db.getExecutor();
  if (adapter instanceof PostgresAdapter) return 'postgres';
  if (adapter instanceof MysqlAdapter) return 'mysql';
  if (adapter instanceof SqliteAdapter) return 'sqlite';
  throw new ConfigError('FW_DATABASE', `${who} takes a Kysely for PostgreSQL, MySQL or SQLite`);
}

function runnerOf(db: AnyKysely): Runner {
  return {
    async run({ texts, values }) {
      const result = await sql(texts as unknown as TemplateStringsArray, ...values).execute(db);
      return { rows: result.rows as never, changed: Number(result.numAffectedRows ?? 0) };
    },
  };
}
