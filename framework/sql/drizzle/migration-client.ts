// Drizzle: connections for migrations, of the drivers that its handles have.
import type { Client, InStatement } from '@libsql/client';
import type { Pool as MysqlPool } from 'mysql2';
import type { Pool as PostgresPool } from 'pg';
import { ConfigError } from '../../config-error.js';
import type { Engine } from '../database-url.js';
import { missingDriver } from '../load-driver.js';
import { lockFileOf, type MigrationLockOptions, withMigrationLock } from '../migration-lock.js';
import { withPlaceholders } from '../migrations/notes.js';
import { failedMigration } from '../migrations/run.js';
import { lockServer } from '../migrations/server-lock.js';
import type { Direction, MigrationSession, RunSql } from '../migrations/target.js';

/** The statements of a migration. */
type StatementsOf = (direction: Direction, name: string) => readonly string[];

/** What migrations need of a driver. */
export interface MigrationClient {
  readonly engine: Engine;
  readonly sql: RunSql;
  onOne<Result>(work: (sql: RunSql) => Promise<Result>): Promise<Result>;
  alone<Result>(
    statementsOf: StatementsOf,
    lock: MigrationLockOptions,
    work: (session: MigrationSession) => Promise<Result>,
  ): Promise<Result>;
}

/** @throws ConfigError if the handle has no pool or client of a known driver. */
export function migrationClient(client: unknown): MigrationClient {
  if (typeof client === 'object' && client !== null) {
    if ('idleCount' in client) return new PostgresClient(client as PostgresPool);
    if ('getConnection' in client) return new MysqlClient(client as MysqlPool);
    if ('migrate' in client) return new LibsqlClient(client as unknown as Client);
  }
  throw new ConfigError(
    'FW_DATABASE',
    'migrations takes a database of drizzleFromUrl(), or one with the same driver and a pool',
  );
}

class PostgresClient implements MigrationClient {
  readonly engine = 'postgres';
  readonly sql: RunSql;
  readonly #pool: PostgresPool;

  constructor(pool: PostgresPool) {
    this.#pool = pool;
    this.sql = (text, values) => this.onOne((sql) => sql(text, values));
  }

  async onOne<Result>(work: (sql: RunSql) => Promise<Result>): Promise<Result> {
    const client = await this.#pool.connect();
    let failure: unknown;
    try {
      return await work(
        async (text, values = []) =>
          (await client.query(withPlaceholders(text, 'postgres'), values as unknown[])).rows,
      );
    } catch (error) {
      failure = error;
      throw error;
    } finally {
      // A transaction that was not ended ends with its connection.
      client.release(failure !== undefined);
    }
  }

  alone<Result>(
    statementsOf: StatementsOf,
    lock: MigrationLockOptions,
    work: (session: MigrationSession) => Promise<Result>,
  ): Promise<Result> {
    return this.onOne(async (sql) => {
      await sql('begin');
      await lockServer('postgres', sql, lock);
      const result = await work(oneByOne(sql, statementsOf));
      await sql('commit');
      return result;
    });
  }
}

class MysqlClient implements MigrationClient {
  readonly engine = 'mysql';
  readonly sql: RunSql;
  readonly #pool: ReturnType<MysqlPool['promise']>;

  constructor(pool: MysqlPool) {
    const hasPromises = 'promise' in pool && typeof pool.promise === 'function';
    this.#pool = hasPromises ? pool.promise() : (pool as unknown as ReturnType<MysqlPool['promise']>);
    this.sql = (text, values) => this.onOne((sql) => sql(text, values));
  }

  async onOne<Result>(work: (sql: RunSql) => Promise<Result>): Promise<Result> {
    const connection = await this.#pool.getConnection();
    try {
      return await work(async (text, values = []) => {
        const [rows] = await connection.query(text, values as unknown[]);
        return Array.isArray(rows) ? (rows as Record<string, unknown>[]) : [];
      });
    } finally {
      connection.release();
    }
  }

  alone<Result>(
    statementsOf: StatementsOf,
    lock: MigrationLockOptions,
    work: (session: MigrationSession) => Promise<Result>,
  ): Promise<Result> {
    return this.onOne(async (sql) => {
      const release = await lockServer('mysql', sql, lock);
      try {
        return await work(oneByOne(sql, statementsOf));
      } finally {
        await release();
      }
    });
  }
}

class LibsqlClient implements MigrationClient {
  readonly engine = 'sqlite';
  readonly sql: RunSql;
  readonly #client: Client;

  constructor(client: Client) {
    this.#client = client;
    this.sql = async (text, values = []) => {
      const { rows, columns } = await client.execute({ sql: text, args: [...values] as never });
      return rows.map((row) => Object.fromEntries(columns.map((name) => [name, row[name]])));
    };
  }

  /** A client of a file has several connections: what belongs together is one call, which sends all statements. */
  async onOne<Result>(work: (sql: RunSql) => Promise<Result>): Promise<Result> {
    const queued: InStatement[] = [];
    const result = await work(async (text, values = []) => {
      if (/^(?:select|pragma) /.test(text)) return this.sql(text, values);
      queued.push({ sql: text, args: [...values] as never });
      return [];
    });
    // It turns foreign keys off meanwhile.
    if (queued.length > 0) await this.#client.migrate(queued);
    return result;
  }

  async alone<Result>(
    statementsOf: StatementsOf,
    lock: MigrationLockOptions,
    work: (session: MigrationSession) => Promise<Result>,
  ): Promise<Result> {
    const run = async (): Promise<Result> => {
      const batch: InStatement[] = [];
      const owners: string[] = [];
      let current = '';
      const add = (statement: InStatement): void => {
        batch.push(statement);
        owners.push(current);
      };
      const result = await work({
        read: this.sql,
        async write(text, values = []) {
          add({ sql: text, args: [...values] as never });
          return [];
        },
        async step(direction, name) {
          current = name;
          for (const statement of statementsOf(direction, name)) add({ sql: statement, args: [] });
        },
      });
      if (batch.length === 0) return result;
      try {
        await this.#client.migrate(batch);
      } catch (error) {
        const { statementIndex } = error as { statementIndex?: number };
        throw failedMigration(owners[statementIndex ?? -1] ?? current, error);
      }
      return result;
    };
    const file = (await this.sql('pragma database_list')).find(({ name }) => name === 'main')?.file;
    if (typeof file !== 'string' || file === '') return run();
    return withMigrationLock(await fileLock(file), lock, run);
  }
}

/** A lock on a file beside the database, which the system frees if the process ends. */
async function fileLock(file: string): Promise<() => Promise<() => Promise<void>>> {
  const { createClient } = await import('@libsql/client').catch(
    missingDriver('migrations', '@libsql/client@0.18'),
  );
  const url = `file:${encodeURI(lockFileOf(file)).replace(/[?#]/g, encodeURIComponent)}`;
  return async () => {
    const holder = createClient({ url, timeout: 0 });
    try {
      const held = await holder.transaction('write');
      // A file that was closed stays open, and locked, until its statements are collected.
      return async () => {
        await held.rollback();
        holder.close();
      };
    } catch (error) {
      holder.close();
      throw error;
    }
  };
}

function oneByOne(sql: RunSql, statementsOf: StatementsOf): MigrationSession {
  return {
    read: sql,
    write: sql,
    async step(direction, name, changed) {
      try {
        for (const statement of statementsOf(direction, name)) {
          await sql(statement);
          changed();
        }
      } catch (error) {
        throw failedMigration(name, error);
      }
    },
  };
}
