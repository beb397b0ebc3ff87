// Kysely: compares the types of an app's tables with the tables that its migrations have made.
import {
  type Kysely,
  PostgresAdapter,
  type Selectable,
  SqliteAdapter,
  sql,
  type TableMetadata,
} from 'kysely';
import { checkValue } from '../../options/check.js';
import { objectWith, record } from '../../options/rules.js';

/** What a value of a column is, as the driver gives it: the name of its type, with `?` behind it if it may be null. */
type KindOf<Value> = [Extract<Value, null>] extends [never]
  ? NameOf<Value>
  : `${NameOf<Exclude<Value, null>>}?`;

type NameOf<Value> = [Value] extends [string]
  ? 'string'
  : [Value] extends [number]
    ? 'number'
    : [Value] extends [boolean]
      ? 'boolean'
      : [Value] extends [Date]
        ? 'Date'
        : 'other';

/** Every table with every column, and what its values are: the compiler compares it with the interface of the tables. */
export type TableColumns<Database> = {
  readonly [Table in keyof Database]: {
    readonly [Column in keyof Selectable<Database[Table]>]: KindOf<Selectable<Database[Table]>[Column]>;
  };
};

const DB = objectWith(['getExecutor'], 'a database of Kysely, such as kyselyFromUrl() makes');
const COLUMNS = record('the columns of each table');

/** Tables of tools, which an app has no types for. */
const OTHERS = /^(?:kysely_migration(?:_lock)?|fw_migrations|sqlite_.*)$/;

/** The columns of the tables of `fw`, which only its stores read, whatever the app calls them. */
const OWN_COLUMNS: readonly (readonly string[])[] = [
  ['created_at_ms', 'data', 'expires_at_ms', 'key', 'label', 'scopes', 'used_at_ms', 'user_id'],
  ['created_at_ms', 'data', 'expires_at_ms', 'family', 'key', 'kind', 'used_at_ms', 'user_id'],
  ['full_at_ms', 'key'],
];
const OWN_TABLES = new Set(OWN_COLUMNS.map((names) => names.join()));

/** Types of the databases, as far as it is certain what their values are. */
const NUMBERS =
  /^(?:integer|int|int2|int4|smallint|tinyint|mediumint|real|double|double precision|float|float4|float8)$/i;
const TEXTS =
  /^(?:text|varchar|char|character varying|bpchar|uuid|tinytext|mediumtext|longtext)(?:\(\d{1,9}\))?$/i;

/**
 * What differs between the types of the tables and the tables of the database, each with its table and column; empty if
 * nothing does. For a test of the app, after its migrations:
 *
 * ```ts
 * const columns: TableColumns<Database> = { notes: { id: 'number', text: 'string', doneAt: 'Date?' } };
 * expect(await tableDifferences(db, columns)).toEqual([]);
 * ```
 *
 * The compiler holds that `columns` has what the interface has. The interface may leave out the tables of `SqlSessionStore`,
 * `SqlRateLimitStore` and `SqlTokenStore`, which nothing else reads. A column whose type can be several things, such as
 * `numeric`, is compared by its name alone.
 *
 * @throws ConfigError if an argument is not of its kind
 */
export async function tableDifferences<Database>(
  db: Kysely<Database>,
  columns: Partial<TableColumns<Database>>,
): Promise<readonly string[]> {
  checkValue('tableDifferences', 'the database', db, DB);
  checkValue('tableDifferences', 'the columns', columns, COLUMNS);
  const schema = await currentSchema(db);
  const all = await db.introspection.getTables();
  const tables = all.filter((table) => schema === undefined || table.schema === schema);
  const real = new Map(tables.filter(({ name }) => !OTHERS.test(name)).map((table) => [table.name, table]));
  const wanted = Object.entries(columns as Record<string, Record<string, string>>).map(
    ([table, its]) => [table, nameOf(db, table), its] as const,
  );
  const differences: string[] = [];
  for (const [table, name, its] of wanted) {
    const found = real.get(name);
    real.delete(name);
    if (found === undefined) {
      differences.push(`${table}: the database has no table ${name}`);
      continue;
    }
    const keys = await sqliteKeys(db, name);
    const rest = new Map(
      found.columns.map((column) => [
        column.name,
        { ...column, isNullable: column.isNullable && !keys.has(column.name) },
      ]),
    );
    for (const [column, kind] of Object.entries(its)) {
      const columnName = nameOf(db, column);
      const one = rest.get(columnName);
      rest.delete(columnName);
      const where = `${table}.${column}`;
      if (one === undefined) differences.push(`${where}: the table has no column ${columnName}`);
      else differences.push(...columnDifferences(where, kind, one));
    }
    for (const name of rest.keys()) differences.push(`${table}: the types have no column ${name}`);
  }
  for (const [name, table] of real) {
    if (!isOwn(table)) differences.push(`the types have no table ${name}`);
  }
  return differences;
}

function isOwn({ columns }: TableMetadata): boolean {
  return OWN_TABLES.has(
    columns
      .map(({ name }) => name)
      .sort()
      .join(),
  );
}

function columnDifferences(
  where: string,
  kind: string,
  { dataType, isNullable }: { readonly dataType: string; readonly isNullable: boolean },
): string[] {
  const plain = kind.replace('?', '');
  const differences: string[] = [];
  const isSurely = NUMBERS.test(dataType) ? 'number' : TEXTS.test(dataType) ? 'string' : undefined;
  if (isSurely !== undefined && plain !== isSurely && plain !== 'other') {
    differences.push(`${where}: the types say ${plain}, and the column is ${dataType}`);
  }
  const mayBeNull = kind.endsWith('?');
  if (isNullable && !mayBeNull)
    differences.push(`${where}: the column may be null, and the types say it is not`);
  if (!isNullable && mayBeNull)
    differences.push(`${where}: the types say null, and the column is never null`);
  return differences;
}

/** Of PostgreSQL: other schemas are those of tools, such as queues. Undefined elsewhere. */
async function currentSchema<Database>(db: Kysely<Database>): Promise<string | undefined> {
  if (!(db.getExecutor().adapter instanceof PostgresAdapter)) return undefined;
  const { rows } = await sql<{ name: string }>`select current_schema() as name`.execute(db.withoutPlugins());
  return rows[0]?.name;
}

/**
 * SQLite lets a primary key be null that is not declared otherwise (https://sqlite.org/lang_createtable.html#the_primary_key),
 * which nobody means.
 */
async function sqliteKeys<Database>(db: Kysely<Database>, table: string): Promise<ReadonlySet<string>> {
  if (!(db.getExecutor().adapter instanceof SqliteAdapter)) return new Set();
  const { rows } = await sql<{
    name: string;
  }>`select name from pragma_table_info(${table}) where pk > 0`.execute(db.withoutPlugins());
  return new Set(rows.map(({ name }) => name));
}

/** As it is in the database: plugins of the handle, such as CamelCasePlugin, change names. */
function nameOf<Database>(db: Kysely<Database>, name: string): string {
  const compiled = sql`${sql.id(name)}`.compile(db).sql;
  return compiled.slice(1, -1);
}
