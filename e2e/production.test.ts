// The template production: from the packed package to several processes that lose nothing when one of them is killed.
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DatabaseProxy, databaseKinds, type TestDatabase } from '../framework/conformance/databases.js';
import { hasRedis, SHARED as redisUrl, removePrefix } from '../framework/conformance/redis/trial-redis.js';
import { startDev } from './dev-session.js';
import { buildImage, type Image } from './dockerfile.js';
import { answering, freePort } from './free-port.js';
import { json, statusOf } from './http-calls.js';
import { isStored, killUnderLoad } from './kill-under-load.js';
import { run, scaffold, temporaryDirectory } from './packed.js';
import { Collector, Webhooks } from './receivers.js';
import { RunningApp } from './running-app.js';
import { runStep, stepsOf } from './workflow.js';

const secrets = { JWT_SECRET: 'x'.repeat(32) };
const credentials = { email: 'ada@example.org', password: 'correct horse battery' };
const postgres = databaseKinds.find(({ engine }) => engine === 'postgres');
const hasServers = postgres?.missing === undefined && (await hasRedis());

let app: string;
let image: Image;
/** Where the image was built: with the packages, which the embedded database needs. */
let built: string;

beforeAll(async () => {
  app = await scaffold({ template: 'production', name: 'shop' });
  // With nothing of the app beside it but what the steps copy.
  const scratch = join(temporaryDirectory('fw-image'), 'of/the/app');
  image = buildImage(app, scratch);
  built = join(scratch, 'build');
});

describe('an app of the template production', () => {
  test('has its files, those with dotted names too, and a secret of its own', () => {
    for (const path of [
      '.dockerignore',
      '.github/workflows/ci.yml',
      '.gitignore',
      'Dockerfile',
      'RUNBOOK.md',
      'compose.yaml',
    ]) {
      expect(existsSync(join(app, path)), path).toBe(true);
    }
    expect(readFileSync(join(app, '.env'), 'utf8')).toMatch(/^JWT_SECRET=[\w-]{43}$/m);
  });

  test('passes its CI in a clone', { timeout: 600_000 }, async () => {
    const clone = join(temporaryDirectory('fw-clone'), 'shop');
    const git = async (...args: string[]) =>
      expect(await run('git', args, { cwd: app }), args[0]).toMatchObject({ exitCode: 0 });
    const as = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org'];
    await git('init', '--quiet');
    await git('add', '--all');
    await git(...as, 'commit', '--quiet', '--message', 'Begin');
    await git('clone', '--quiet', '.', clone);
    const database = hasServers ? await postgres?.create() : undefined;
    const services = { TEST_DATABASE_URL: database?.url, TEST_REDIS_URL: redisUrl };
    const commands: string[] = [];
    for (const step of stepsOf(join(clone, '.github/workflows/ci.yml'), 'test')) {
      if (step.env !== undefined && database === undefined) continue;
      const output = await runStep(step, clone, services);
      if (step.run === 'npm test') expect(output).toMatch(/Tests +(\d+) passed \(\1\)/);
      commands.push(step.run ?? '');
    }
    await database?.drop();
    const expected = ['npm ci', 'npm run lint', 'npm run typecheck', 'npm test', 'npm run build'];
    expect([...new Set(commands)]).toEqual(expected);
  });

  test('lists every fault of its configuration at once, and does not start', async () => {
    const env = { WORKERS: '2', DATABASE_URL: 'oracle://db', JWT_SECRET: 'hunter2' };
    const [node = '', ...args] = image.command;
    const refused = await run(node, args, { cwd: image.directory, env: { ...image.env, ...env } });
    expect(refused).toMatchObject({ exitCode: 1, stderr: '' });
    const lines = refused.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(new Set(lines.map(({ level }) => level))).toEqual(new Set(['fatal']));
    for (const name of ['JWT_SECRET', 'WORKERS', 'DATABASE_URL']) {
      expect(lines.filter(({ msg }) => msg.startsWith(`${name} `)).length, name).toBeGreaterThan(0);
    }
    expect(refused.stdout).not.toMatch(/hunter2| at /);
  });

  test('has an image without packages, of a user without rights', () => {
    expect(readdirSync(image.directory).sort()).toEqual(['dist']);
    expect(image.user).toBe('node');
    expect(existsSync(join(built, '.env'))).toBe(false);
  });
});

describe.skipIf(!hasServers)('an app of the template production with PostgreSQL and Redis', () => {
  const collector = new Collector();
  const webhooks = new Webhooks();
  const prefix = `fw-e2e-${randomUUID()}:`;
  let database: TestDatabase;
  let proxy: DatabaseProxy;
  let env: NodeJS.ProcessEnv;
  let url: string;

  beforeAll(async () => {
    if (postgres === undefined) throw new Error('there is no kind of database called postgres');
    database = await postgres.create();
    const through = await DatabaseProxy.before(database);
    proxy = through.proxy;
    const [port, metricsPort] = [await freePort(), await freePort()];
    url = `http://127.0.0.1:${port}`;
    env = {
      ...image.env,
      ...secrets,
      HOST: '127.0.0.1',
      PORT: String(port),
      METRICS_PORT: String(metricsPort),
      // Its proxy is on this machine, and gives requests their ids.
      TRUSTED_PROXIES: '127.0.0.1',
      DATABASE_URL: through.url,
      REDIS_URL: redisUrl,
      REDIS_PREFIX: prefix,
      WORKERS: '2',
      MIGRATE: 'true',
      DRAIN_SECONDS: '2',
      RATE_LIMIT: '1000000',
      WEBHOOK_URL: await webhooks.listen(),
      WEBHOOK_SECRET: 'z'.repeat(32),
      OTEL_EXPORTER_OTLP_ENDPOINT: await collector.listen(),
    };
  });

  afterAll(async () => {
    proxy.close();
    collector.close();
    webhooks.close();
    await database.drop();
    await removePrefix(prefix);
  });

  test('is one process under fw dev, whatever WORKERS says', async () => {
    const { PORT: _, ...others } = env;
    const session = await startDev({ app, env: { ...others, NODE_ENV: undefined } });
    try {
      expect((await fetch(`http://127.0.0.1:${session.port}/health`)).status).toBe(200);
      expect(session.printed()).not.toContain('starting workers');
    } finally {
      await session.end('SIGTERM');
    }
  });

  test('does not start without its database, and says so once for all processes', async () => {
    const nowhere = { ...env, DATABASE_URL: 'postgres://postgres@127.0.0.1:1/nowhere' };
    const refused = await run(process.execPath, image.command.slice(1), {
      cwd: image.directory,
      env: nowhere,
    });
    expect(refused.exitCode, refused.stdout).toBe(1);
    expect(refused.stderr).toBe('');
    const lines = refused.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const fatal = lines.filter(({ level }) => level === 'fatal').map(({ msg }) => msg);
    expect(fatal).toContainEqual(expect.stringContaining('; check that the database is there, and its URL'));
    expect(refused.stdout).toContain('before it listened');
  });

  test('loses nothing that was acknowledged when a process is killed, and drains at the end', async () => {
    const command = [process.execPath, ...image.command.slice(1)];
    await using running = new RunningApp(command, image.directory, env, 'nobody');
    const started = await running.says(`listening on ${url}`, 2);
    await answering(`${url}/health/live`);
    expect(await healthCheck()).toBe(0);
    const token = await signUp();
    await tracesItsRequests(token);
    await survivesTheDatabase(running);
    const victim = started[0]?.pid ?? 0;
    const acknowledged = await killUnderLoad({ running, url, token, victim, webhooks });
    expect(acknowledged.length).toBeGreaterThan(200);
    await isStored(acknowledged, database.url, webhooks);
    await addsUpItsMetrics();
    await drains(running);
    expect(await healthCheck()).toBe(1);
  });

  async function healthCheck(): Promise<number | null> {
    const [, ...args] = image.healthCheck;
    return (await run(process.execPath, args, { cwd: image.directory, env: { PORT: env.PORT } })).exitCode;
  }

  async function signUp(): Promise<string> {
    const answer = await fetch(`${url}/sign-up`, json(credentials));
    expect(answer.status).toBe(201);
    return ((await answer.json()) as { token: string }).token;
  }

  async function tracesItsRequests(token: string): Promise<void> {
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    const headers = { authorization: `Bearer ${token}`, traceparent: `00-${traceId}-b7ad6b7169203331-01` };
    expect((await fetch(`${url}/tasks`, { headers })).status).toBe(200);
    const span = await collector.until(() => collector.spans.find(({ name }) => name === 'GET /tasks'));
    expect(span).toMatchObject({ traceId, parentSpanId: 'b7ad6b7169203331' });
  }

  async function survivesTheDatabase(running: RunningApp): Promise<void> {
    proxy.goAway();
    expect(await statusOf(`${url}/health`)).toBe(503);
    expect(await statusOf(`${url}/health/live`)).toBe(200);
    await running.says("not ready: the check 'database' failed");
    proxy.comeBack();
    await ready(200);
  }

  async function addsUpItsMetrics(): Promise<void> {
    const metrics = await (await fetch(`http://127.0.0.1:${env.METRICS_PORT}/metrics`)).text();
    const added =
      /^http_server_request_duration_seconds_count\{http_request_method="POST",http_route="\/tasks",http_response_status_code="201"\} [1-9]/m;
    expect(metrics).toMatch(added);
    // One line for all workers.
    expect(metrics.match(/^http_server_active_requests\{http_request_method="POST"\}/gm)).toHaveLength(1);
  }

  async function drains(running: RunningApp): Promise<void> {
    running.child.kill('SIGTERM');
    await running.says('draining', 2);
    expect(await statusOf(`${url}/health`)).toBe(503);
    expect(await statusOf(`${url}/health/live`)).toBe(200);
    expect(await running.ended).toEqual([0, null]);
    expect(running.lines().filter(({ msg }) => msg === 'drained')).toHaveLength(2);
  }

  async function ready(status: number): Promise<void> {
    await answering(`${url}/health`);
    await expect.poll(() => statusOf(`${url}/health`), { timeout: 60_000 }).toBe(status);
  }
});
