// Errors: makes an FwError of what a driver throws.
import diagnostics from 'node:diagnostics_channel';
import { asFwError, FwError, type FwErrorOptions } from '../http/errors.js';
import { isHeard } from '../tracing/trace-channel.js';

/**
 * A value that must be unique is taken already. It is answered 409 `Conflict` with the message `already exists`,
 * without names of the database.
 */
export class UniqueViolationError extends FwError {
  override readonly name = 'UniqueViolation';
  /** The name of the constraint or the index; undefined with SQLite, which does not tell it. */
  readonly constraint: string | undefined;
  /** The columns of the constraint; undefined with MySQL, which does not tell them. */
  readonly columns: readonly string[] | undefined;

  /** @internal */
  constructor(options: FwErrorOptions, { constraint, columns }: ReturnType<typeof uniqueKey> & object) {
    super('Conflict', 'already exists', options);
    this.constraint = constraint;
    this.columns = columns;
  }
}

/**
 * Whether a value that must be unique was taken already.
 *
 * ```ts
 * if (isUniqueViolation(error)) throw FwError.conflict('the name is taken');
 * ```
 */
export function isUniqueViolation(error: unknown): error is UniqueViolationError {
  return error instanceof UniqueViolationError;
}

/** What a driver's error has of these. */
interface DriverError {
  readonly message?: unknown;
  readonly code?: unknown;
  readonly errno?: unknown;
  readonly syscall?: unknown;
  readonly extendedCode?: unknown;
  readonly constraint?: unknown;
  readonly detail?: unknown;
}

/** A statement, and what it was run with. */
export interface Statement {
  readonly sql: string;
  /** Undefined if the toolkit does not tell them. */
  readonly parameters: readonly unknown[] | undefined;
}

/** A statement that has failed: the message on the channel `fw:failed-query`, to which only `fw dev` subscribes. */
export interface FailedQuery extends Statement {
  readonly error: FwError;
}

const channel = diagnostics.channel('fw:failed-query');

/** Longer SQL is cut off in events and errors. */
export const LONGEST_SQL = 4_000;

/**
 * The error that a query fails with: 409, 400 for a text that the database cannot store, 503 without a connection or if
 * the server has cancelled it, else 500, with the driver's error as cause, the statement as `sql`, and a stack that reaches to the line that ran it.
 */
export function toDatabaseError(thrown: unknown, statement?: Statement): FwError {
  const known = asFwError(thrown);
  if (known !== undefined) return known;
  const cause = ofDriver(thrown);
  const options = statement === undefined ? { cause } : { cause, sql: statement.sql.slice(0, LONGEST_SQL) };
  const error = withWholeStack(() => make(cause, options));
  if (statement !== undefined && isHeard(channel)) channel.publish({ ...statement, error });
  return error;
}

/** Frames of the framework and of packages can lie between an error and the line of the application that led to it. */
const MOST_FRAMES = 50;

/** Makes an error whose stack reaches to the application, also through many frames; costs nothing before it fails. */
function withWholeStack<Made>(make: () => Made): Made {
  const limit = Error.stackTraceLimit;
  if (!(limit < MOST_FRAMES)) return make();
  Error.stackTraceLimit = MOST_FRAMES;
  try {
    return make();
  } finally {
    Error.stackTraceLimit = limit;
  }
}

function make(cause: DriverError, options: FwErrorOptions): FwError {
  const key = uniqueKey(cause);
  if (key !== undefined) return new UniqueViolationError(options, key);
  if (isUnstorable(cause)) {
    return FwError.badRequest('a text has a character that the database cannot store, such as NUL', options);
  }
  if (isClosed(cause)) return unavailable(cause, options, 'the pool of the database was closed');
  if (isUnavailable(cause)) return unavailable(cause, options);
  if (CANCELLED.has(cause.code) || CANCELLED.has(cause.errno)) {
    return FwError.serviceUnavailable('the database has cancelled the statement; try again later', {
      ...options,
      headers: { 'Retry-After': '1' },
    });
  }
  return FwError.databaseError(isMistyped(cause) ? `${textOf(cause)}; ${VALIDATE}` : textOf(cause), options);
}

/** It stays 500: the value may be one of the application, and who reads the log can tell. */
const VALIDATE =
  'a value does not fit its type in the database: validate what clients send before the query, ' +
  'such as an id by the schema z.uuid()';

/** 503: there is no connection, so that trying again later may help. */
export function unavailable(
  cause: unknown,
  options: FwErrorOptions = { cause },
  what = 'the database is not available',
): FwError {
  return FwError.serviceUnavailable(`${what}; try again later`, {
    ...options,
    headers: { 'Retry-After': '1' },
  });
}

/**
 * PostgreSQL: character_not_in_repertoire, such as NUL, and untranslatable_character, such as NUL in JSON. MySQL: a
 * character that the character set of the column lacks.
 */
function isUnstorable({ code, errno, message }: DriverError): boolean {
  if (code === '22021' || code === '22P05') return true;
  return errno === 1366 && String(message).startsWith('Incorrect string value');
}

/**
 * PostgreSQL: invalid_text_representation, numeric_value_out_of_range, invalid_datetime_format, datetime_field_overflow.
 * MySQL: wrong values, those out of range, and truncated ones. SQLite looks at types hardly anywhere.
 */
const MISTYPED: ReadonlySet<unknown> = new Set([
  ...['22P02', '22003', '22007', '22008', 'SQLITE_MISMATCH'],
  ...[1264, 1265, 1292, 1366],
]);

function isMistyped({ code, errno }: DriverError): boolean {
  return MISTYPED.has(code) || MISTYPED.has(errno);
}

/** Drizzle wraps the error in one whose message has the parameters of the query, which belong in no log. */
function ofDriver(thrown: unknown): DriverError {
  const isWrapped = thrown instanceof Error && 'query' in thrown && 'params' in thrown && thrown.cause;
  return (isWrapped ? thrown.cause : (thrown ?? {})) as DriverError;
}

/** SQLite: another connection holds the lock. Drizzle's client: all connections are in transactions. */
const SQLITE = /^(?:SQLITE_BUSY|SQLITE_LOCKED|TRANSACTION_ACTIVE$)/;

/** Node's codes for sockets, those of mysql2, and SQLSTATEs of PostgreSQL: connections, shutdown, too many. */
const UNAVAILABLE: ReadonlySet<unknown> = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH'],
  ...['ENETUNREACH', 'PROTOCOL_CONNECTION_LOST', 'ER_CON_COUNT_ERROR', 'ER_SERVER_SHUTDOWN'],
  ...['ER_TOO_MANY_USER_CONNECTIONS', 'ER_CONNECTION_KILLED'],
  ...['08000', '08001', '08003', '08004', '08006', '57P01', '57P02', '57P03', '53300'],
]);

/** By a limit of time, or by an administrator: query_canceled of PostgreSQL, and what MySQL and MariaDB have. */
const CANCELLED: ReadonlySet<unknown> = new Set(['57014', 1317, 1969, 3024]);

/** Errors of the drivers that have no code. */
const WITHOUT_CODE: readonly string[] = [
  'timeout exceeded when trying to connect',
  'Connection terminated',
  'Client has encountered a connection error',
  'Client was closed and is not queryable',
  "Can't add new command when connection is in closed state",
  'Error: Connection lost',
];

/** The application has closed its own end, before the query. */
const CLOSED: readonly string[] = [
  'Cannot use a pool after calling end on the pool',
  'Pool is closed.',
  'The database connection is not open',
  'driver has already been destroyed',
];

function isClosed({ code, message }: DriverError): boolean {
  if (code === 'POOL_CLOSED' || code === 'CLIENT_CLOSED') return true;
  return typeof message === 'string' && CLOSED.some((text) => message.startsWith(text));
}

function isUnavailable(error: DriverError): boolean {
  const { code, message } = error;
  // A socket in the file system, while the server starts again.
  if (code === 'ENOENT' && error.syscall === 'connect') return true;
  if (UNAVAILABLE.has(code) || (typeof code === 'string' && SQLITE.test(code))) return true;
  return typeof message === 'string' && WITHOUT_CODE.some((text) => message.startsWith(text));
}

function textOf(error: DriverError): string {
  return typeof error.message === 'string'
    ? error.message
    : 'the driver threw something that is not an error';
}

interface UniqueKey {
  readonly constraint: string | undefined;
  readonly columns: readonly string[] | undefined;
}

/** Undefined if the error is another one. */
function uniqueKey(error: DriverError): UniqueKey | undefined {
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
  const to = text.indexOf(')=(');
  return {
    constraint: typeof constraint === 'string' ? constraint : undefined,
    columns: to === -1 ? undefined : text.slice(text.indexOf('(') + 1, to).split(', '),
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
