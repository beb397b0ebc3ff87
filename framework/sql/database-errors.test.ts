// What becomes of the errors of drivers, by what each of them has.
import diagnostics from 'node:diagnostics_channel';
import { describe, expect, it } from 'vitest';
import { FwError } from '../http/errors.js';
import { isUniqueViolation, toDatabaseError } from './database-errors.js';
import { missingDriver } from './load-driver.js';

const statusOf = (thrown: object) => toDatabaseError(Object.assign(new Error('no'), thrown)).status;

describe('the status of an error', () => {
  it.each([
    ['a text that PostgreSQL cannot store', { code: '22021' }, 400],
    ['JSON that PostgreSQL cannot store', { code: '22P05' }, 400],
    ['a text that MySQL cannot store', { errno: 1366, message: "Incorrect string value: '\\xF0' for" }, 400],
    ['a number that is none', { errno: 1366, message: "Incorrect integer value: 'x' for" }, 500],
    ['a socket that is not there', { code: 'ENOENT', syscall: 'connect' }, 503],
    ['a file that is not there', { code: 'ENOENT', syscall: 'open' }, 500],
    ['a server that shuts down', { code: '57P01' }, 503],
    ['a statement that PostgreSQL has cancelled', { code: '57014' }, 503],
    ['a statement that MySQL has cancelled', { errno: 3024 }, 503],
    ['a statement that MariaDB has cancelled', { errno: 1969 }, 503],
    ['a statement that was killed', { errno: 1317 }, 503],
    ['a lock of SQLite', { code: 'SQLITE_BUSY_SNAPSHOT' }, 503],
    ['a wait for a lock of SQLite', { code: 'SQLITE_LOCKED_SHAREDCACHE' }, 503],
    ['a client that was closed', { code: 'CLIENT_CLOSED' }, 503],
    ['a client that is closed otherwise', { code: 'CLIENT_CLOSED_BY_X' }, 500],
    ['a pool that ends', { message: 'Cannot use a pool after calling end on the pool' }, 503],
    ['a unique value of PostgreSQL', { code: '23505' }, 409],
    ['a foreign key of PostgreSQL', { code: '23503' }, 500],
    ['a unique value of MySQL', { errno: 1062 }, 409],
    [
      'a unique value of SQLite',
      { code: 'SQLITE_CONSTRAINT', extendedCode: 'SQLITE_CONSTRAINT_UNIQUE' },
      409,
    ],
    ['a primary key of SQLite', { code: 'SQLITE_CONSTRAINT_PRIMARYKEY' }, 409],
    ['another constraint of SQLite', { code: 'SQLITE_CONSTRAINT_CHECK' }, 500],
  ])('%s', (_, thrown, status) => {
    expect(statusOf(thrown)).toBe(status);
  });

  it.each<object>(
    [
      ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH'],
      ...['ENETUNREACH', 'PROTOCOL_CONNECTION_LOST', 'ER_CON_COUNT_ERROR', 'ER_SERVER_SHUTDOWN'],
      ...['ER_TOO_MANY_USER_CONNECTIONS', 'ER_CONNECTION_KILLED'],
      ...['08000', '08001', '08003', '08004', '08006', '57P01', '57P02', '57P03', '53300'],
      ...['TRANSACTION_ACTIVE', 'POOL_CLOSED', '57014'],
    ].map((code) => ({ code })),
  )('is 503 with Retry-After for the code $code', (thrown) => {
    const error = toDatabaseError(Object.assign(new Error('no'), thrown));
    expect([error.status, error.headers]).toEqual([503, { 'Retry-After': '1' }]);
  });

  it.each([
    'timeout exceeded when trying to connect',
    'Connection terminated unexpectedly',
    'Client has encountered a connection error and is not queryable',
    'Client was closed and is not queryable',
    "Can't add new command when connection is in closed state",
    'Error: Connection lost: The server closed the connection.',
    'Pool is closed.',
    'The database connection is not open',
  ])('is 503 with Retry-After for an error without a code that says: %s', (message) => {
    const error = toDatabaseError(new Error(message));
    expect([error.status, error.headers]).toEqual([503, { 'Retry-After': '1' }]);
    expect(toDatabaseError(new Error(`no, ${message}`)).status).toBe(500);
  });

  it('is 500 for a value that does not fit its type, and the log says what to do', () => {
    const remedy =
      /^no; a value does not fit its type in the database: validate what clients send .* z\.uuid\(\)$/;
    const mistyped = [
      ...['22P02', '22003', '22007', '22008', 'SQLITE_MISMATCH'].map((code) => ({ code })),
      ...[1264, 1265, 1292, 1366].map((errno) => ({ errno })),
    ];
    for (const thrown of mistyped) {
      const error = toDatabaseError(Object.assign(new Error('no'), thrown));
      expect([error.status, error.message]).toEqual([500, expect.stringMatching(remedy)]);
    }
    expect(toDatabaseError(Object.assign(new Error('no'), { code: '42601' })).message).toBe('no');
  });

  it('is 500 for what is not an error', () => {
    for (const thrown of [undefined, null, 'no', 7, {}]) expect(toDatabaseError(thrown).status).toBe(500);
  });

  it('says that the own pool was closed, which no server is to blame for', () => {
    const closed = [
      { code: 'CLIENT_CLOSED' },
      { message: 'Cannot use a pool after calling end on the pool' },
      { message: 'Pool is closed.' },
      { message: 'driver has already been destroyed' },
    ];
    for (const thrown of closed) {
      expect(toDatabaseError(Object.assign(new Error('no'), thrown))).toMatchObject({
        status: 503,
        message: 'the pool of the database was closed; try again later',
      });
    }
    const away = Object.assign(new Error('no'), { code: 'ECONNREFUSED' });
    expect(toDatabaseError(away).message).toBe('the database is not available; try again later');
  });
});

describe('a value that must be unique and is taken', () => {
  it.each<[string, object, string | undefined, readonly string[] | undefined]>([
    [
      'PostgreSQL',
      { code: '23505', constraint: 'users_name', detail: 'Key (org, lower(name))=(7, ada) already exists.' },
      'users_name',
      ['org', 'lower(name)'],
    ],
    ['PostgreSQL without a detail', { code: '23505', constraint: 'users_name' }, 'users_name', undefined],
    ['PostgreSQL in other words', { code: '23505', constraint: 7, detail: 'no (key)' }, undefined, undefined],
    [
      'MySQL',
      { code: 'ER_DUP_ENTRY', message: "Duplicate entry 'it's (ada)' for key 'users.name'" },
      'name',
      undefined,
    ],
    ['MariaDB', { errno: 1062, message: "Duplicate entry 'ada' for key 'name'" }, 'name', undefined],
    ['MySQL in other words', { errno: 1062, message: "it's taken" }, undefined, undefined],
    ['MySQL without a name', { errno: 1062, message: 'taken' }, undefined, undefined],
    [
      'SQLite',
      { code: 'SQLITE_CONSTRAINT_UNIQUE', message: 'UNIQUE constraint failed: users.org, users.name' },
      undefined,
      ['org', 'name'],
    ],
    ['SQLite in other words', { code: 'SQLITE_CONSTRAINT_UNIQUE', message: 'taken' }, undefined, undefined],
  ])('is told by %s', (_, thrown, constraint, columns) => {
    const cause = Object.assign(new Error('no'), thrown);
    const error = toDatabaseError(cause);
    expect(isUniqueViolation(error)).toBe(true);
    expect(error).toMatchObject({ status: 409, message: 'already exists', constraint, columns, cause });
    // It stays what it is.
    expect(toDatabaseError(error)).toBe(error);
  });

  it('is nothing else', () => {
    for (const other of [undefined, new Error('no'), FwError.conflict('taken')]) {
      expect(isUniqueViolation(other)).toBe(false);
    }
  });
});

describe('the error of a statement', () => {
  const statement = { sql: `select '${'x'.repeat(5_000)}'`, parameters: ['a secret'] };

  it('has the beginning of its SQL and the error of the driver, without parameters', () => {
    const cause = new Error('no');
    const error = toDatabaseError(cause, statement) as FwError & { sql?: string };
    expect([error.cause, error.sql]).toEqual([cause, statement.sql.slice(0, 4_000)]);
    expect('sql' in toDatabaseError(cause) && (toDatabaseError(cause) as typeof error).sql).toBeFalsy();
    const wrapped = Object.assign(new Error('Failed query: select ? params: a secret', { cause }), {
      query: 'select ?',
      params: ['a secret'],
    });
    expect(toDatabaseError(wrapped)).toMatchObject({ message: 'no', cause });
    for (const part of [{ query: 'select ?' }, { params: [] }]) {
      const other = Object.assign(new Error('mine', { cause }), part);
      expect(toDatabaseError(other)).toMatchObject({ message: 'mine', cause: other });
    }
  });

  it('is told to fw dev with its parameters, if there is a statement', () => {
    const heard: unknown[] = [];
    const hear = (message: unknown) => void heard.push(message);
    diagnostics.subscribe('fw:failed-query', hear);
    const error = toDatabaseError(new Error('no'), statement);
    toDatabaseError(new Error('no'));
    diagnostics.unsubscribe('fw:failed-query', hear);
    toDatabaseError(new Error('no'), statement);
    expect(heard).toEqual([{ ...statement, error }]);
  });

  it('has a stack that reaches through many frames, and changes no limit', () => {
    const deep = (levels: number): FwError =>
      levels > 0 ? deep(levels - 1) : toDatabaseError(new Error('no'));
    const limit = Error.stackTraceLimit;
    try {
      for (const [set, least, most] of [
        [10, 30, 51],
        [100, 60, 101],
      ] as const) {
        Error.stackTraceLimit = set;
        const frames = (deep(80).stack ?? '').split('\n').filter((line) => /^ +at /.test(line));
        expect(frames.length).toBeGreaterThanOrEqual(least);
        expect(frames.length).toBeLessThanOrEqual(most);
        expect(Error.stackTraceLimit).toBe(set);
      }
    } finally {
      Error.stackTraceLimit = limit;
    }
  });
});

it.each<[string, object, boolean]>([
  ['a package that is missing', { code: 'ERR_MODULE_NOT_FOUND' }, true],
  ['one that is missing in CommonJS', { code: 'MODULE_NOT_FOUND' }, true],
  ['one that a bundle lacks', { message: 'No such module "pg".' }, true],
  ['one that is broken', { message: 'cannot parse: No such module ' }, false],
])('says what to install for %s, and passes other errors on', (_, thrown, isMissing) => {
  const cause = Object.assign(new Error('no'), thrown);
  const fail = () => missingDriver('kyselyFromUrl', 'pg@8')(cause);
  if (!isMissing) return expect(fail).toThrow(cause);
  expect(fail).toThrow('kyselyFromUrl needs a package that is not installed; run: npm install pg@8');
  expect(fail).toThrow(expect.objectContaining({ cause }));
});
