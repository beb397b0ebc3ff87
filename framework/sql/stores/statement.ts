// SQL of the framework's own tables: statements for the three databases, without a toolkit.
import type { Engine } from '../database-url.js';

export type SqlValue = string | number | null;

/** A statement as the `sql` tags of both toolkits take it: texts, and the values between them. */
export interface Statement {
  readonly texts: readonly string[];
  readonly values: readonly SqlValue[];
}

export interface SqlResult {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  /** How many rows a statement has changed that returns none. */
  readonly changed: number;
}

/** What runs statements: a database, or one transaction of it. */
export interface Runner {
  run(statement: Statement): Promise<SqlResult>;
}

/** A database of either toolkit. */
export interface SqlDatabase extends Runner {
  readonly engine: Engine;
  transaction<Result>(work: (trx: Runner) => Promise<Result>): Promise<Result>;
}

/** Text of a statement, such as the name of a table. */
export class Sql {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Makes a statement: `Sql` and other statements become part of its text, everything else is a value of it. */
export function statement(
  texts: TemplateStringsArray,
  ...parts: readonly (SqlValue | Sql | Statement)[]
): Statement {
  const merged = [texts[0] as string];
  const values: SqlValue[] = [];
  const append = (text: string): void => {
    merged[merged.length - 1] += text;
  };
  parts.forEach((part, index) => {
    if (part instanceof Sql) append(part.text);
    else if (part !== null && typeof part === 'object') {
      append(part.texts[0] as string);
      merged.push(...part.texts.slice(1));
      values.push(...part.values);
    } else {
      merged.push('');
      values.push(part);
    }
    append(texts[index + 1] as string);
  });
  return { texts: merged, values };
}

/** The values of a list, for `in (…)`. */
function listOfValues(values: readonly SqlValue[]): Statement {
  return { texts: ['', ...values.map((_, index) => (index < values.length - 1 ? ', ' : ''))], values };
}

/** A name that was checked, in the quotes of the database; `app.sessions` is a table of a schema. */
export function quoted(engine: Engine, name: string): Sql {
  const quote = engine === 'mysql' ? '`' : '"';
  return new Sql(
    name
      .split('.')
      .map((part) => `${quote}${part}${quote}`)
      .join('.'),
  );
}

/** Whether a row is of the user. MySQL compares texts without regard to case and to spaces at their end. */
export function isOfUser(engine: Engine, userId: string): Statement {
  const same = statement`user_id = ${userId}`;
  if (engine !== 'mysql') return same;
  return statement`${same} and cast(convert(user_id using utf8mb4) as binary) = cast(convert(${userId} using utf8mb4) as binary)`;
}

/**
 * Removes up to `most` rows whose time is over. They are found first and then named by their keys, so that it locks no
 * others, and each is removed only if its time is still over.
 *
 * @param isOver the condition of such rows.
 */
export async function sweep(
  db: SqlDatabase,
  { table, key, time }: { readonly table: Sql; readonly key: Sql; readonly time: Sql },
  isOver: Statement,
  most: number,
): Promise<void> {
  const found = await db.run(
    statement`select ${key} as row_key from ${table} where ${isOver} order by ${time} limit ${new Sql(String(most))}`,
  );
  if (found.rows.length === 0) return;
  // MySQL gives the bytes of a binary column.
  const keys = found.rows.map(({ row_key }) => String(row_key)).sort();
  await db.run(statement`delete from ${table} where ${key} in (${listOfValues(keys)}) and ${isOver}`);
}
