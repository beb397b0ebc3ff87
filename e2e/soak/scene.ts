// What the run needs: a database, a Redis of its own, ways to both that can be cut, and the app with two processes.
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { DatabaseProxy, databaseKinds, type TestDatabase } from '../../framework/conformance/databases.js';
import { OwnServer } from '../../framework/conformance/redis/trial-redis.js';
import type { Image } from '../dockerfile.js';
import { freePort } from '../free-port.js';
import { statusOf } from '../http-calls.js';
import { RunningApp } from '../running-app.js';
import type { Row } from './ledger.js';
import { Processes } from './processes.js';

const WORKERS = 2;
/** An app that has not ended by then is killed, which is a fault: it drains for a second, and for 20 more at most. */
const END_MS = 60_000;
const probe = fileURLToPath(new URL('probe.mjs', import.meta.url));

export class Scene {
  readonly port: number;
  readonly processes: Processes;
  /** Between the app and PostgreSQL, which goes on: other tests use it. */
  readonly toPostgres: DatabaseProxy;
  readonly toRedis: DatabaseProxy;
  readonly redis: OwnServer;
  /** Ends everything, and gives the log of the app with its exit code. */
  readonly end: () => Promise<{ output: string; exit: unknown[] }>;
  readonly #database: pg.Client;

  private constructor(parts: Omit<Scene, 'rows' | 'removeOne' | 'url'>, database: pg.Client) {
    this.port = parts.port;
    this.processes = parts.processes;
    this.toPostgres = parts.toPostgres;
    this.toRedis = parts.toRedis;
    this.redis = parts.redis;
    this.end = parts.end;
    this.#database = database;
  }

  static async start(image: Image): Promise<Scene> {
    const database = await newDatabase();
    const redis = await OwnServer.open();
    const [postgres, cache] = [await DatabaseProxy.before(database), await DatabaseProxy.before(redis)];
    const sockets = mkdtempSync(join(tmpdir(), 'fw-soak-'));
    const port = await freePort();
    const webhook = await webhookServer();
    const env = {
      ...image.env,
      NODE_OPTIONS: `--import ${probe}`,
      FW_SOAK_SOCKETS: sockets,
      HOST: '127.0.0.1',
      PORT: String(port),
      METRICS_PORT: String(await freePort()),
      TRUSTED_PROXIES: '127.0.0.1',
      JWT_SECRET: 'x'.repeat(32),
      DATABASE_URL: postgres.url,
      REDIS_URL: cache.url,
      WORKERS: String(WORKERS),
      MIGRATE: 'true',
      DRAIN_SECONDS: '1',
      RATE_LIMIT: '1000000',
      // A line for each request would be gigabytes.
      LOG_LEVEL: 'warn',
      WEBHOOK_URL: `http://127.0.0.1:${(webhook.address() as AddressInfo).port}`,
      WEBHOOK_SECRET: 'z'.repeat(32),
    };
    const running = new RunningApp([process.execPath, ...image.command.slice(1)], image.directory, env);
    const processes = new Processes(running.child.pid ?? 0, sockets, WORKERS);
    const client = new pg.Client(database.url);
    await client.connect();
    const end = async (): Promise<{ output: string; exit: unknown[] }> => {
      running.child.kill('SIGTERM');
      const late = setTimeout(() => running.child.kill('SIGKILL'), END_MS);
      const exit = await running.ended;
      clearTimeout(late);
      await client.end();
      postgres.proxy.close();
      cache.proxy.close();
      webhook.closeAllConnections();
      webhook.close();
      await redis.stop();
      await database.drop();
      rmSync(sockets, { recursive: true });
      return { output: running.output, exit };
    };
    try {
      await processes.complete();
      await isHealthy(`http://127.0.0.1:${port}/health`);
    } catch (error) {
      const { output } = await end();
      throw new Error(`the app has not started: ${output}`, { cause: error });
    }
    const parts = { port, processes, toPostgres: postgres.proxy, toRedis: cache.proxy, redis, end };
    return new Scene(parts, client);
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** All tasks, past the app. */
  async rows(): Promise<Row[]> {
    return (await this.#database.query('select id, title, version from tasks')).rows;
  }

  /** Takes one task out, to see that the check fails. */
  async removeOne(): Promise<void> {
    const newest = 'select id from tasks order by created_at desc limit 1';
    await this.#database.query(`delete from tasks where id in (${newest})`);
  }
}

/** A busy machine takes a minute to load the app. */
async function isHealthy(url: string): Promise<void> {
  const giveUpAt = performance.now() + 120_000;
  let status: number | undefined;
  while (status !== 200) {
    // It does not listen yet.
    status = await statusOf(url).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ECONNREFUSED') throw error;
      return undefined;
    });
    if (performance.now() > giveUpAt) throw new Error(`${url} was answered ${status} after two minutes`);
    if (status !== 200) await sleep(100);
  }
}

function newDatabase(): Promise<TestDatabase> {
  const postgres = databaseKinds.find(({ engine }) => engine === 'postgres');
  if (postgres === undefined) throw new Error('there is no kind of database called postgres');
  return postgres.create();
}

/** Takes whatever jobs send. */
async function webhookServer(): Promise<Server> {
  const server = createServer((request, response) => {
    request.resume().once('end', () => response.writeHead(204).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}
