// Migrations: a table beside that of the toolkit, with the checksums of what has run and with what is running. The statements
// are those that all three databases understand.
import type { Engine } from '../database-url.js';
import { makesNotes } from './compared.js';
import type { RunSql } from './target.js';

/** What is kept of a migration, of which the toolkit's own table says nothing. */
export interface MigrationNote {
  readonly name: string;
  readonly checksum: string;
  /** It runs, or was interrupted. */
  readonly isRunning: boolean;
}

const TABLE = 'fw_migrations';

/** Where none are made, none are looked for: a server logs each statement about a table that is not there. */
export async function notesOf(engine: Engine, sql: RunSql): Promise<readonly MigrationNote[]> {
  if (!makesNotes(engine) || !(await hasTable(engine, sql, TABLE))) return [];
  const rows = await sql(`select name, checksum, is_running from ${TABLE}`);
  return rows.map((row) => ({
    name: String(row.name),
    checksum: String(row.checksum),
    isRunning: Number(row.is_running) === 1,
  }));
}

export function prepareNotes(engine: Engine, sql: RunSql): Promise<void> {
  return makeTable(
    engine,
    sql,
    TABLE,
    `create table if not exists ${TABLE} (name varchar(255) not null primary key, checksum varchar(64) not null, is_running integer not null)`,
  );
}

export async function setNote(write: RunSql, { name, checksum, isRunning }: MigrationNote): Promise<void> {
  await removeNote(write, name);
  const values = [name, checksum, isRunning ? 1 : 0];
  await write(`insert into ${TABLE} (name, checksum, is_running) values (?, ?, ?)`, values);
}

export async function removeNote(write: RunSql, name: string): Promise<void> {
  await write(`delete from ${TABLE} where name = ?`, [name]);
}

/** Outside of transactions: on PostgreSQL, `if not exists` fails for one of two processes at the same moment. */
export async function makeTable(engine: Engine, sql: RunSql, name: string, statement: string): Promise<void> {
  if (await hasTable(engine, sql, name)) return;
  try {
    await sql(statement);
  } catch (error) {
    if (!(await hasTable(engine, sql, name))) throw notMade(name, error);
  }
}

/** A role that runs the app, and may not change its tables. */
export function notMade(name: string, error: unknown): Error {
  const { message, code, cause } = error as Error & { code?: unknown; cause?: { code?: unknown } };
  const codes: readonly unknown[] = [code, cause?.code];
  const isRefused = REFUSED.some((one) => codes.includes(one));
  const remedy = isRefused ? '; migrate with a role that may create tables' : '';
  return new Error(`the table ${name} cannot be made: ${message}${remedy}`, { cause: error });
}

/** insufficient_privilege of PostgreSQL, and what MySQL and MariaDB have. */
const REFUSED = ['42501', 'ER_TABLEACCESS_DENIED_ERROR', 'ER_DBACCESS_DENIED_ERROR'];

/** By one statement if the table is there, as it is but for the first time; not within a transaction. */
export async function rowsOf(
  engine: Engine,
  sql: RunSql,
  table: string,
  statement: string,
): ReturnType<RunSql> {
  try {
    return await sql(statement);
  } catch (error) {
    if (!(await hasTable(engine, sql, table))) return [];
    // Another process may have made it meanwhile; another reason is one still.
    return await sql(statement).catch(() => Promise.reject(error));
  }
}

/** Looks where unqualified names are looked up; `schema.name` on PostgreSQL looks there. */
export async function hasTable(engine: Engine, sql: RunSql, name: string): Promise<boolean> {
  return (await sql(TABLE_QUERIES[engine], [name])).length > 0;
}

const TABLE_QUERIES: Readonly<Record<Engine, string>> = {
  postgres: 'select 1 as found where to_regclass(?) is not null',
  mysql:
    'select 1 as found from information_schema.tables where table_schema = database() and table_name = ?',
  sqlite: "select 1 as found from sqlite_master where type = 'table' and name = ?",
};

/** The text with the placeholders of the database. Texts of this package have no other `?`. */
export function withPlaceholders(text: string, engine: Engine): string {
  if (engine !== 'postgres') return text;
  let count = 0;
  return text.replace(/\?/g, () => {
    count += 1;
    return `$${count}`;
  });
}
