// Connections that are idle are closed, and the wait for one leaves nothing behind.
import { promisify } from 'node:util';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { databaseKinds, type TestDatabase } from '../conformance/databases.js';
import { resolveOptions } from './database-options.js';
import { closeClient, closeInTime } from './handles.js';
import { mysqlPool } from './mysql-pool.js';
import { postgresPool } from './postgres-pool.js';

const [postgres, mysql] = ['postgres', 'mysql'].map((name) =>
  databaseKinds.find(({ engine }) => engine === name),
);
const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function made(kind: typeof postgres): Promise<TestDatabase> {
  const database = (await kind?.create()) as TestDatabase;
  cleanups.push(() => database.drop());
  return database;
}

const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

describe.skipIf(postgres?.missing)('a pool for PostgreSQL', () => {
  it('closes connections that are idle for longer than they may be', async () => {
    const { url } = await made(postgres);
    const pool = await postgresPool('test', url, resolveOptions({ idleTimeoutMs: 50, maxConnections: 3 }));
    cleanups.push(() => pool.end());
    // The driver has a time of its own, after which they would be closed too.
    expect(pool.options).toMatchObject({ idleTimeoutMillis: 50, connectionTimeoutMillis: 5_000, max: 3 });
    await Promise.all([1, 2, 3, 4].map(() => pool.query('select 1')));
    expect(pool.totalCount).toBeLessThanOrEqual(3);
    await expect.poll(() => pool.totalCount).toBe(0);
  });

  it('goes on when the server ends a connection that is idle', async () => {
    const { url } = await made(postgres);
    const pool = await postgresPool('test', url, resolveOptions({}));
    cleanups.push(() => pool.end());
    const [one, other] = await Promise.all([pool.connect(), pool.connect()]);
    const { rows } = await one.query('select pg_backend_pid() as pid');
    one.release();
    // Without a listener, it would end the process.
    const failed = vi.spyOn(pool, 'emit');
    await other.query('select pg_terminate_backend($1)', [rows[0].pid]);
    other.release();
    await expect.poll(() => failed.mock.calls.map(([name]) => name)).toContain('error');
    expect(failed.mock.results.map(({ type }) => type)).not.toContain('throw');
    expect((await Promise.all([1, 2].map(() => pool.query('select 1')))).length).toBe(2);
  });
});

describe.skipIf(postgres?.missing)('the time of a statement of PostgreSQL', () => {
  it.each<[object, string]>([
    [{}, '0'],
    [{ statementTimeoutMs: 1_234 }, '1234ms'],
  ])('with %j is %s', async (options, shown) => {
    const { url } = await made(postgres);
    const pool = await postgresPool('test', url, resolveOptions(options));
    cleanups.push(() => pool.end());
    expect((await pool.query('show statement_timeout')).rows).toEqual([{ statement_timeout: shown }]);
  });
});

describe.skipIf(mysql?.missing)('a pool for MySQL', () => {
  const opened = async (options: object) => {
    const { url, connections } = await made(mysql);
    const pool = await mysqlPool('test', url, resolveOptions(options));
    cleanups.push(promisify(pool.end.bind(pool)));
    return { pool, connections };
  };

  it('closes connections that are idle for longer than they may be, but one', async () => {
    const { pool, connections } = await opened({ idleTimeoutMs: 50, maxConnections: 2 });
    const held = await Promise.all([1, 2].map(() => pool.promise().getConnection()));
    expect(await connections()).toBe(2);
    for (const one of held) one.release();
    await expect.poll(connections).toBeLessThanOrEqual(1);
  });

  it.each<[object, number]>([
    [{}, 0],
    [{ statementTimeoutMs: 1_234 }, 1.234],
  ])('lets a statement take as long as %j says', async (options, seconds) => {
    const { pool } = await opened(options);
    const [rows] = await pool.promise().query("show variables like 'max_%_time'");
    const times = Object.fromEntries(
      (rows as { Variable_name: string; Value: string }[]).map((row) => [
        row.Variable_name,
        Number(row.Value),
      ]),
    );
    // MariaDB has seconds, MySQL has milliseconds.
    const { max_statement_time, max_execution_time } = times;
    expect(max_statement_time ?? Number(max_execution_time) / 1000).toBe(seconds);
  });

  it('leaves no timer of a wait for a connection', async () => {
    const { pool } = await opened({ acquireTimeoutMs: 600_000 });
    const before = timers();
    for (let wait = 0; wait < 20; wait += 1) (await pool.promise().getConnection()).release();
    expect(timers()).toBeLessThan(before + 10);
  });

  it('gives a connection back that comes when nobody waits any more', async () => {
    // It is also the time for connecting, which takes longer on a busy machine.
    const { pool } = await opened({ acquireTimeoutMs: 3_000, maxConnections: 1 });
    const held = await pool.promise().getConnection();
    await expect(pool.promise().getConnection()).rejects.toMatchObject({ code: 'ETIMEDOUT' });
    held.release();
    await expect
      .poll(() =>
        pool
          .promise()
          .query('select 1')
          .then(() => 'answered'),
      )
      .toBe('answered');
  });
});

describe('the end of a pool', () => {
  it('leaves no timer', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    cleanups.push(() => vi.useRealTimers());
    await closeInTime(async () => {});
    expect(vi.getTimerCount()).toBe(0);
    await expect(closeInTime(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('fails after five seconds if a query still runs', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    cleanups.push(() => vi.useRealTimers());
    let failure: unknown;
    const closing = closeInTime(() => new Promise(() => {})).catch((error: unknown) => {
      failure = error;
    });
    await vi.advanceTimersByTimeAsync(4_999);
    expect(failure).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    await closing;
    expect(String(failure)).toContain('did not close within 5000 ms');
  });
});

describe('the end of a client', () => {
  type Callback = (error?: unknown) => void;

  it.each<[string, (done: { is: boolean }) => object]>([
    [
      'calls back',
      (done) => ({
        end(callback: Callback) {
          setImmediate(() => {
            done.is = true;
            callback();
          });
        },
      }),
    ],
    [
      'returns a promise',
      (done) => ({
        async end() {
          await new Promise((resolve) => setImmediate(resolve));
          done.is = true;
        },
      }),
    ],
    [
      'closes',
      (done) => ({
        async close() {
          await new Promise((resolve) => setImmediate(resolve));
          done.is = this !== undefined;
        },
      }),
    ],
  ])('is waited for if it %s', async (_, make) => {
    const done = { is: false };
    await closeClient(make(done));
    expect(done.is).toBe(true);
  });

  it('fails as the client does, and is nothing for one that has no end', async () => {
    const failing = [
      { end: (callback: Callback) => void setImmediate(() => callback(new Error('still used'))) },
      { end: () => Promise.reject(new Error('still used')) },
      { close: () => Promise.reject(new Error('still used')) },
    ];
    for (const client of failing) await expect(closeClient(client)).rejects.toThrow('still used');
    await expect(closeClient({})).resolves.toBeUndefined();
  });
});

it('has ten connections, five seconds to get one and thirty of idleness, if nothing else is said', () => {
  expect(resolveOptions({})).toEqual({
    maxConnections: 10,
    acquireTimeoutMs: 5_000,
    idleTimeoutMs: 30_000,
    statementTimeoutMs: undefined,
  });
});
