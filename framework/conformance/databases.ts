// The databases of this machine, for tests: each test file makes one of its own, and drops it.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConnection } from 'mysql2/promise';
import pg from 'pg';

export interface TestDatabase {
  readonly engine: 'postgres' | 'mysql' | 'sqlite';
  readonly url: string;
  readonly name: string;
  /** How many connections the server has to it. */
  connections(): Promise<number>;
  drop(): Promise<void>;
}

export interface DatabaseKind {
  readonly engine: TestDatabase['engine'];
  /** Why its tests are skipped; undefined if they run. */
  readonly missing: string | undefined;
  create(): Promise<TestDatabase>;
}

const POSTGRES_PORT = 5432;
const MYSQL_PORT = 3306;
const postgresUrl = (name: string) => `postgres://postgres@127.0.0.1:${POSTGRES_PORT}/${name}`;
const mysqlUrl = (name: string) => `mysql://root@127.0.0.1:${MYSQL_PORT}/${name}`;

async function missing(what: string, port: number): Promise<string | undefined> {
  const isThere = await new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
  if (isThere) return undefined;
  const why = `there is no ${what} on 127.0.0.1:${port}`;
  if (process.env.CI !== undefined) throw new Error(`${why}, and CI needs one`);
  console.warn(`skipped: ${why}`);
  return why;
}

const uniqueName = () => `fw_${randomUUID().replaceAll('-', '').slice(0, 16)}`;

async function inPostgres<Row>(sql: string, database = 'postgres'): Promise<Row[]> {
  const client = new pg.Client(postgresUrl(database));
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

async function inMysql<Row>(sql: string): Promise<Row[]> {
  const connection = await createConnection(mysqlUrl('test'));
  try {
    return (await connection.query(sql))[0] as Row[];
  } finally {
    await connection.end();
  }
}

/** Names of databases that a test has left, emptied: to make one takes the server longer than most tests. */
const emptied: string[] = [];

async function makePostgres(): Promise<string> {
  // Those with the beginning of this run are dropped when it ends.
  const run = process.env.FW_TEST_DATABASES;
  const name = run === undefined ? uniqueName() : `${run}_${uniqueName()}`;
  await inPostgres(`create database ${name}`);
  // Half of the time of a test is the disk's; no test takes the server's power away.
  await inPostgres(`alter database ${name} set synchronous_commit = off`);
  return name;
}

/** Ends its connections, and leaves nothing in it. */
async function emptyPostgres(name: string): Promise<void> {
  await inPostgres(
    `do $$ declare name text; begin
      perform pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid();
      for name in select nspname from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema'
      loop execute format('drop schema %I cascade', name); end loop;
    end $$;
    create schema public authorization pg_database_owner;
    grant usage on schema public to public`,
    name,
  );
}

const postgres: DatabaseKind = {
  engine: 'postgres',
  missing: await missing('PostgreSQL', POSTGRES_PORT),
  async create() {
    const name = emptied.pop() ?? (await makePostgres());
    return {
      engine: 'postgres',
      name,
      url: postgresUrl(name),
      async connections() {
        const sql = `select count(*)::int as n from pg_stat_activity where datname = '${name}'`;
        return (await inPostgres<{ n: number }>(sql))[0]?.n ?? 0;
      },
      async drop() {
        if (process.env.FW_TEST_DATABASES === undefined) {
          await inPostgres(`drop database ${name} with (force)`);
        } else {
          await emptyPostgres(name);
          emptied.push(name);
        }
      },
    };
  },
};

const mysql: DatabaseKind = {
  engine: 'mysql',
  missing: await missing('MariaDB or MySQL', MYSQL_PORT),
  async create() {
    const name = uniqueName();
    await inMysql(`create database ${name}`);
    return {
      engine: 'mysql',
      name,
      url: mysqlUrl(name),
      async connections() {
        const sql = `select count(*) as n from information_schema.processlist where db = '${name}'`;
        return (await inMysql<{ n: number }>(sql))[0]?.n ?? 0;
      },
      async drop() {
        await inMysql(`drop database ${name}`);
      },
    };
  },
};

const sqlite: DatabaseKind = {
  engine: 'sqlite',
  missing: undefined,
  async create() {
    const directory = mkdtempSync(join(tmpdir(), 'fw-sqlite-'));
    return {
      engine: 'sqlite',
      name: directory,
      url: `file:${join(directory, 'data.db')}`,
      connections: async () => 0,
      drop: async () => rmSync(directory, { recursive: true }),
    };
  },
};

export const databaseKinds: readonly DatabaseKind[] = [postgres, mysql, sqlite];

/** Stands between an application and a database server, which can go away. */
export class DatabaseProxy {
  readonly #server = createServer((socket) => this.#accept(socket));
  readonly #sockets = new Set<Socket>();
  readonly #port: number;
  #isDown = false;

  constructor(target: number) {
    this.#port = target;
  }

  /** The URL of the database, through the proxy. */
  static async before(database: Pick<TestDatabase, 'url'>): Promise<{ proxy: DatabaseProxy; url: string }> {
    const url = new URL(database.url);
    const proxy = new DatabaseProxy(Number(url.port));
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve));
    url.port = String((proxy.#server.address() as { port: number }).port);
    return { proxy, url: url.href };
  }

  /** Cuts all connections, and every new one until `comeBack`. */
  goAway(): void {
    this.#isDown = true;
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  comeBack(): void {
    this.#isDown = false;
  }

  close(): void {
    this.goAway();
    this.#server.close();
  }

  #accept(socket: Socket): void {
    if (this.#isDown) {
      socket.resetAndDestroy();
      return;
    }
    const upstream = connect(this.#port, '127.0.0.1');
    for (const [one, other] of [
      [socket, upstream],
      [upstream, socket],
    ] as const) {
      this.#sockets.add(one);
      one.on('error', () => {});
      one.once('close', () => {
        this.#sockets.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  }
}
