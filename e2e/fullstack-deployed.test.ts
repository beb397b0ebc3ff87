// The template fullstack as it is deployed: from its Dockerfile to two processes with PostgreSQL and Redis, one of which is
// killed, and which lose nothing that was acknowledged.
import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds, type TestDatabase } from '../framework/conformance/databases.js';
import { hasRedis, SHARED as redisUrl, removePrefix } from '../framework/conformance/redis/trial-redis.js';
import { FwRpcClient } from '../templates/fullstack/web/src/client.js';
import { buildImage, type Image } from './dockerfile.js';
import { answering, freePort } from './free-port.js';
import { statusOf } from './http-calls.js';
import { run, scaffold, temporaryDirectory } from './packed.js';
import { Collector } from './receivers.js';
import { RunningApp } from './running-app.js';

const postgres = databaseKinds.find(({ engine }) => engine === 'postgres');
const hasServers = postgres?.missing === undefined && (await hasRedis());
const credentials = { email: 'ada@example.org', password: 'correct horse battery' };

/** A browser: it keeps cookies, and each request has a connection of its own, so that any process may answer. */
class Visitor {
  readonly client: FwRpcClient;
  readonly #cookies = new Map<string, string>();

  constructor(url: string) {
    this.client = new FwRpcClient(`${url}/rpc`, {
      fetch: (input, init) => this.#fetch(input, init),
      csrf: { token: () => this.#cookies.get('csrf') },
    });
  }

  async #fetch(input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set('cookie', [...this.#cookies].map((pair) => pair.join('=')).join('; '));
    headers.set('connection', 'close');
    const response = await fetch(input, { ...init, headers });
    for (const cookie of response.headers.getSetCookie()) {
      const [name = '', value = ''] = cookie.split(';', 1)[0]?.split('=') ?? [];
      this.#cookies.set(name, value);
    }
    return response;
  }
}

describe.skipIf(!hasServers)('an app of the template fullstack with PostgreSQL and Redis', () => {
  const collector = new Collector();
  const prefix = `fw-e2e-${randomUUID()}:`;
  let image: Image;
  let database: TestDatabase;
  let env: NodeJS.ProcessEnv;
  let url: string;

  beforeAll(async () => {
    if (postgres === undefined) throw new Error('there is no kind of database called postgres');
    const app = await scaffold({ template: 'fullstack', name: 'lists' });
    image = buildImage(app, join(temporaryDirectory('fw-image'), 'of/the/app'));
    database = await postgres.create();
    const [port, metricsPort] = [await freePort(), await freePort()];
    url = `http://127.0.0.1:${port}`;
    env = {
      ...image.env,
      HOST: '127.0.0.1',
      PORT: String(port),
      METRICS_PORT: String(metricsPort),
      PUBLIC_URL: url,
      CSRF_SECRET: 'y'.repeat(32),
      DATABASE_URL: database.url,
      REDIS_URL: redisUrl,
      REDIS_PREFIX: prefix,
      WORKERS: '2',
      DRAIN_SECONDS: '1',
      RATE_LIMIT: '1000000',
      OTEL_EXPORTER_OTLP_ENDPOINT: await collector.listen(),
    };
  });

  afterAll(async () => {
    collector.close();
    await database.drop();
    await removePrefix(prefix);
  });

  test('is an image of the bundle alone, which refuses to start before the migrations', async () => {
    expect(readdirSync(image.directory)).toEqual(['dist']);
    const [node = '', ...args] = image.command;
    const refused = await run(node, args, { cwd: image.directory, env });
    expect(refused.exitCode, refused.stdout).toBe(1);
    expect(refused.stdout).toMatch(/"level":"fatal".*migrations/);
    // As the service `migrate` of compose.yaml.
    const migrated = await run(node, ['dist/migrate.js'], { cwd: image.directory, env });
    expect(migrated.exitCode, migrated.stdout + migrated.stderr).toBe(0);
  });

  test('loses nothing that was acknowledged when a process is killed, and drains at the end', async () => {
    const command = [process.execPath, ...image.command.slice(1)];
    await using running = new RunningApp(command, image.directory, env, 'nobody');
    const started = await running.says(`listening on ${url}`, 2);
    await answering(`${url}/health/live`);
    expect((await fetch(url)).headers.get('content-type')).toMatch(/^text\/html/);

    const ada = new Visitor(url).client;
    await ada.accounts.current();
    await ada.accounts.signUp(credentials);
    const listId = randomUUID();
    await ada.lists.add({ id: listId, name: 'Groceries' });
    await hearsOfChanges(ada, listId);
    const acknowledged = await killUnderLoad(running, ada, listId, started[0]?.pid ?? 0);
    expect(acknowledged.length).toBeGreaterThan(200);
    expect(await missing(acknowledged)).toEqual([]);

    const span = await collector.until(() => collector.spans.find(({ name }) => name === 'tasks.add'));
    expect(span.parentSpanId).toMatch(/^[0-9a-f]{16}$/);
    const metrics = await (await fetch(`http://127.0.0.1:${env.METRICS_PORT}/metrics`)).text();
    const added =
      /^rpc_server_call_duration_seconds_count\{rpc_method="tasks.add",rpc_response_status_code="ok"\} /gm;
    // One line for all workers.
    expect(metrics.match(added)).toHaveLength(1);

    running.child.kill('SIGTERM');
    await running.says('draining', 2);
    expect(await statusOf(`${url}/health`)).toBe(503);
    expect(await running.ended).toEqual([0, null]);
  });

  /** Of two windows in different processes, each hears of what is changed, whichever process changes it. */
  async function hearsOfChanges(ada: FwRpcClient, listId: string): Promise<void> {
    const leaving = new AbortController();
    const heard = [0, 0, 0, 0];
    // Whichever process is free takes a connection: with four at a time, both have one.
    const windows = heard.map(async (_, index) => {
      try {
        for await (const change of ada.changes.follow({ signal: leaving.signal })) {
          if (change.listId === listId) heard[index] = (heard[index] ?? 0) + 1;
        }
      } catch (error) {
        if (!leaving.signal.aborted) throw error;
      }
    });
    await expect
      .poll(
        async () => {
          await ada.tasks.add({ id: randomUUID(), listId, title: 'Milk' });
          return heard.every((count) => count > 0);
        },
        { timeout: 60_000 },
      )
      .toBe(true);
    leaving.abort();
    await Promise.all(windows);
  }

  /** Adds tasks by eight clients at once, and kills a process meanwhile. Gives the ids that were acknowledged. */
  async function killUnderLoad(
    running: RunningApp,
    ada: FwRpcClient,
    listId: string,
    victim: number,
  ): Promise<string[]> {
    const acknowledged: string[] = [];
    let isKilled = false;
    const client = async (): Promise<void> => {
      for (let after = 0; after < 30; ) {
        const id = randomUUID();
        try {
          await ada.tasks.add({ id, listId, title: 'Buy milk' });
          acknowledged.push(id);
        } catch (error) {
          // The connection broke before the response: that is not an acknowledgement.
          if (
            !isKilled ||
            !String((error as Error).cause ?? error).match(/fetch failed|network|socket|ECONN/i)
          )
            throw error;
        }
        if (isKilled) after++;
      }
    };
    const clients = Promise.all(Array.from({ length: 8 }, client));
    await expect.poll(() => acknowledged.length, { timeout: 60_000 }).toBeGreaterThan(100);
    isKilled = true;
    process.kill(victim, 'SIGKILL');
    await clients;
    const [death] = await running.says('a worker has ended; another one replaces it');
    expect(death).toMatchObject({ worker: victim, signal: 'SIGKILL' });
    await running.says(`listening on ${url}`, 3);
    return acknowledged;
  }

  async function missing(ids: readonly string[]): Promise<string[]> {
    const client = new pg.Client(database.url);
    await client.connect();
    const { rows } = await client.query('select id from tasks');
    await client.end();
    const stored = new Set(rows.map(({ id }) => id));
    return ids.filter((id) => !stored.has(id));
  }
});
