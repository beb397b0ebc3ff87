// What becomes of the errors of drivers, by what each of them has.
import { describe, expect, it } from 'vitest';
import { toDatabaseError } from './database-errors.js';

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
