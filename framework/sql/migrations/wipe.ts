// Migrations: the statements that remove everything from a database, for a new start in development.
import type { Engine } from '../database-url.js';
import type { RunSql } from './target.js';

/**
 * Removes all tables, views and types of the schema in which unqualified names are looked up, and of the schemas that are
 * given. On one connection.
 */
export async function wipe(engine: Engine, run: RunSql, schemas: readonly string[] = []): Promise<void> {
  if (engine === 'postgres') return wipePostgres(run, schemas);
  const isMysql = engine === 'mysql';
  const found = await run(
    isMysql
      ? 'select table_name as name, table_type as kind from information_schema.tables where table_schema = database()'
      : "select name, type as kind from sqlite_master where type in ('table', 'view') and name not like 'sqlite_%'",
  );
  // Tables refer to each other.
  await run(isMysql ? 'set foreign_key_checks = 0' : 'pragma foreign_keys = off');
  try {
    for (const { name, kind } of found) {
      const what = /view/i.test(String(kind)) ? 'view' : 'table';
      await run(`drop ${what} if exists ${quoted(String(name), isMysql ? '`' : '"')}`);
    }
  } finally {
    await run(isMysql ? 'set foreign_key_checks = 1' : 'pragma foreign_keys = on');
  }
}

async function wipePostgres(run: RunSql, schemas: readonly string[]): Promise<void> {
  const [row] = await run('select current_schema() as name');
  const own = String(row?.name ?? 'public');
  for (const schema of new Set([...schemas, own])) {
    await run(`drop schema if exists ${quoted(schema, '"')} cascade`);
  }
  await run(`create schema ${quoted(own, '"')}`);
}

function quoted(name: string, quote: string): string {
  return `${quote}${name.replaceAll(quote, quote + quote)}${quote}`;
}
