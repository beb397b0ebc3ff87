// The template api-only: from the packed package to an app that is developed, configured, started and stopped.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds } from '../framework/conformance/databases.js';
import { save, startDev } from './dev-session.js';
import { answering, freePort } from './free-port.js';
import { npm, type RunResult, run, runFw, scaffold } from './packed.js';

const password = 'correct horse battery';
const secret = 'x'.repeat(32);

describe('an app of the template api-only', () => {
  let app: string;

  beforeAll(async () => {
    app = await scaffold({ template: 'api-only', name: 'shop' });
  });

  const start = (env: NodeJS.ProcessEnv): Promise<RunResult> =>
    run(process.execPath, ['dist/main.js'], { cwd: app, env });

  test('has a secret of its own, which other users cannot read', () => {
    expect(readFileSync(join(app, '.env'), 'utf8')).toMatch(/^JWT_SECRET=[\w-]{43}$/m);
    expect(readFileSync(join(app, '.env.example'), 'utf8')).toMatch(/^JWT_SECRET=<secret>$/m);
    if (process.platform !== 'win32') expect(statSync(join(app, '.env')).mode & 0o777).toBe(0o600);
  });

  test('passes its tests, its type check and its linter', () => {
    expect(npm(['test'], app)).toMatch(/Tests +(\d+) passed \(\1\)/);
    npm(['run', 'typecheck'], app);
    npm(['run', 'lint'], app);
  });

  test('lists its routes with who may call them, without opening its port', async () => {
    const { exitCode, stdout, stderr } = await runFw(['routes', '--json'], { cwd: app });
    expect(exitCode, stderr).toBe(0);
    const rows = JSON.parse(stdout) as { method: string; path: string; guards: string[]; source: string }[];
    const facts = (method: string, path: string) =>
      rows.find((row) => row.method === method && row.path === path);
    expect(facts('GET', '/health')).toMatchObject({
      guards: [],
      source: expect.stringMatching(/^src\/.+\.ts:\d+$/),
    });
    expect(facts('GET', '/me')?.guards).toEqual(['scopes: account']);
    expect(existsSync(join(app, 'node_modules/.fw')), 'a folder is left behind').toBe(false);
    const main = join(app, 'src/main.ts');
    const source = readFileSync(main, 'utf8');
    writeFileSync(main, `${source}const x = ;\n`);
    const broken = await runFw(['routes'], { cwd: app });
    writeFileSync(main, source);
    expect(broken).toMatchObject({ exitCode: 1, stdout: '' });
    expect(broken.stderr).toMatch(/^error: the build failed: Unexpected ";" \(src\/main\.ts:\d+:11\)\n/);
    const failed = await runFw(['routes'], { cwd: join(app, '..') });
    expect(failed.stderr).toContain('error: there is no');
  });

  test('keeps accounts and tokens while fw dev replaces it', async () => {
    const session = await startDev({ app });
    try {
      const url = `http://127.0.0.1:${session.port}`;
      const { token } = await signUp(url, 'ada@example.org');
      const source = join(app, 'src/app.ts');
      const from = save(
        session,
        source,
        readFileSync(source, 'utf8').replace("title: 'Tasks'", "title: 'Shop'"),
      );
      await session.says(/ready in/, from);
      const document = (await (await fetch(`${url}/docs/openapi.json`)).json()) as {
        info: { title: string };
      };
      expect(document.info.title).toBe('Shop');
      const me = await fetch(`${url}/me`, { headers: { authorization: `Bearer ${token}` } });
      expect(await me.json()).toMatchObject({ email: 'ada@example.org' });
    } finally {
      await session.end('SIGTERM');
    }
  });

  test('starts with .env, says so, and logs requests with their ids', async () => {
    npm(['run', 'build'], app);
    const port = await freePort();
    const server = spawn(process.execPath, ['dist/main.js'], {
      cwd: app,
      env: { ...process.env, NODE_ENV: 'production', PORT: String(port) },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    server.stdout.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
    const ended = once(server, 'close');
    const url = `http://127.0.0.1:${port}`;
    await answering(`${url}/health`);
    // The account of the test before this one: the same file.
    const answer = await fetch(`${url}/sign-in`, json({ email: 'ada@example.org', password }));
    expect(answer.status).toBe(200);
    const refused = await fetch(`${url}/tasks`, { headers: { 'x-request-id': 'abc' } });
    expect(refused.status).toBe(401);
    const id = refused.headers.get('x-request-id');
    expect(id).not.toBe('abc');
    server.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
    const logged = output
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const own = logged.filter(({ request_id }) => request_id === undefined);
    expect(own.map(({ level, msg }) => [level, msg])).toEqual([
      [30, 'read .env'],
      [30, `listening on ${url}`],
      [30, `draining ${url}: requests in flight are answered`],
      [30, `closed ${url}`],
    ]);
    expect(logged).toContainEqual(
      expect.objectContaining({ msg: 'sign-in', outcome: 'success', pid: server.pid }),
    );
    const lines = logged.filter(({ request_id }) => request_id === id);
    expect(lines.map(({ msg }) => msg)).toEqual([
      '--> GET /tasks',
      expect.stringMatching(/^<-- GET \/tasks 401 /),
      'GET /tasks failed: authentication is required',
    ]);
  });

  test('does not start without a secret, and says how to make one', async () => {
    npm(['run', 'build'], app);
    const short = await start({ JWT_SECRET: 'hunter2', PORT: 'many' });
    expect(short).toMatchObject({ exitCode: 1, stderr: '' });
    expect(messagesOf(short.stdout)).toEqual([
      [30, 'read .env'],
      [60, 'the app cannot start with this environment:'],
      [60, expect.stringMatching(/^JWT_SECRET is shorter than 32 bytes; make one: node -p /)],
      [60, 'PORT must be a number'],
      [60, expect.stringMatching(/^set this in \.env /)],
    ]);
    expect(short.stdout).not.toMatch(/hunter2|many| at /);
    renameSync(join(app, '.env'), join(app, '.env.away'));
    try {
      const missing = await start({});
      expect(missing).toMatchObject({ exitCode: 1, stderr: '' });
      const lines = messagesOf(missing.stdout);
      expect(lines).toContainEqual([60, expect.stringMatching(/^JWT_SECRET is missing; make one: node -p /)]);
    } finally {
      renameSync(join(app, '.env.away'), join(app, '.env'));
    }
  });

  test('adds data for development, twice without harm, and never in production', async () => {
    expect(npm(['run', 'seed'], app)).toContain('30 tasks');
    expect(npm(['run', 'seed'], app)).toContain('30 tasks');
    const env = { NODE_ENV: 'production', JWT_SECRET: secret };
    const refused = await run(
      process.execPath,
      ['node_modules/tsx/dist/cli.mjs', 'src/database/run-seed.ts'],
      {
        cwd: app,
        env,
      },
    );
    expect(refused.exitCode).toBe(1);
    expect(refused.stdout).toContain('data for development is not for production');
  });

  const postgres = databaseKinds.find(({ engine }) => engine === 'postgres');

  test.skipIf(postgres?.missing !== undefined)(
    'passes its tests with PostgreSQL, and migrates it',
    async () => {
      const database = await postgres?.create();
      try {
        const env = {
          TEST_DATABASE_URL: database?.url,
          DATABASE_URL: database?.url,
          JWT_SECRET: secret,
          NO_COLOR: '1',
        };
        // Those with queries and transactions of their own; the others have run with SQLite.
        const files = ['src/tasks/', 'src/auth/api-keys.test.ts', 'src/auth/password-reset.test.ts'];
        const args = ['node_modules/vitest/vitest.mjs', 'run', ...files];
        const tested = await run(process.execPath, args, { cwd: app, env });
        expect(tested.stdout).toMatch(/Tests +(\d+) passed \(\1\)/);
        npm(['run', 'build'], app);
        const migrated = await run(process.execPath, ['dist/migrate.js'], { cwd: app, env });
        expect(messagesOf(migrated.stdout).slice(-1)).toEqual([
          [30, 'migrated the database: 20260105090002_tokens'],
        ]);
      } finally {
        await database?.drop();
      }
    },
  );
});

async function signUp(url: string, email: string): Promise<{ token: string }> {
  const answer = await fetch(`${url}/sign-up`, json({ email, password }));
  expect(answer.status).toBe(201);
  return (await answer.json()) as { token: string };
}

function json(body: object): RequestInit {
  return { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

/** Level and message of each line of a log, all of which must be JSON. */
function messagesOf(log: string): [number, string][] {
  return log
    .trimEnd()
    .split('\n')
    .map((line) => {
      const { level, msg } = JSON.parse(line);
      return [level, msg];
    });
}
