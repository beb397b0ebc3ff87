// Errors: what a driver tells about a unique violation.
import type { DriverError } from './database-errors.js';

interface UniqueKey {
  readonly constraint: string | undefined;
  readonly columns: readonly string[] | undefined;
}

/** Undefined if the error is another one. */
export function uniqueKey(error: DriverError): UniqueKey | undefined {
  const text = String(error.message);
  if (error.code === '23505') return ofPostgres(error);
  if (error.code === 'ER_DUP_ENTRY' || error.errno === 1062) {
    return { constraint: mysqlKey(text), columns: undefined };
  }
  const code = error.extendedCode ?? error.code;
  if (code === 'SQLITE_CONSTRAINT_UNIQUE' || code === 'SQLITE_CONSTRAINT_PRIMARYKEY') {
    return { constraint: undefined, columns: sqliteColumns(text) };
  }
  return undefined;
}

/** The detail is in the server's language: `Key (org, lower(name))=(7, ada) already exists.` */
function ofPostgres({ constraint, detail }: DriverError): UniqueKey {
  const text = typeof detail === 'string' ? detail : '';
  const [from, to] = [text.indexOf('('), text.indexOf(')=(')];
  return {
    constraint: typeof constraint === 'string' ? constraint : undefined,
    columns: from !== -1 && to > from ? text.slice(from + 1, to).split(', ') : undefined,
  };
}

/** `Duplicate entry 'ada' for key 'users.name'`, in MariaDB `for key 'name'`; the value may contain anything. */
function mysqlKey(text: string): string | undefined {
  const end = text.lastIndexOf("'");
  const start = text.lastIndexOf("'", end - 1);
  if (start === -1 || start === end) return undefined;
  const key = text.slice(start + 1, end);
  return key.slice(key.lastIndexOf('.') + 1);
}

/** `UNIQUE constraint failed: users.org, users.name` */
function sqliteColumns(text: string): readonly string[] | undefined {
  const at = text.indexOf('failed: ');
  if (at === -1) return undefined;
  return text
    .slice(at + 8)
    .split(', ')
    .map((name) => name.slice(name.indexOf('.') + 1));
}
