// Commands that only look at an app change nothing: for an app of each template, fw routes and fw doctor write no file, open
// no connection and start no timer. An app that does so at its import is named, with the remedy.
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from './free-port.js';
import { checkout, runFw, temporaryDirectory } from './packed.js';

const secret = 'x'.repeat(48);
const env = {
  JWT_SECRET: secret,
  CSRF_SECRET: secret,
  PUBLIC_URL: 'http://127.0.0.1:3000',
  DATABASE_URL: 'file:app.db',
};
const binary = join(checkout, 'dist/cli/main.js');

/** The app of a template, with the packages of the checkout. */
function appOf(template: string): string {
  const app = join(temporaryDirectory(), template);
  cpSync(join(checkout, 'templates', template), app, { recursive: true });
  // What is installed is there; what the command makes in node_modules/ belongs to it.
  mkdirSync(join(app, 'node_modules'));
  for (const name of readdirSync(join(checkout, 'node_modules'))) {
    if (!name.startsWith('.'))
      symlinkSync(join(checkout, 'node_modules', name), join(app, 'node_modules', name));
  }
  return app;
}

const filesOf = (app: string): string[] =>
  readdirSync(app)
    .filter((name) => name !== 'node_modules')
    .flatMap((name) => [name, ...below(join(app, name)).map((one) => join(name, one))])
    .sort();

const below = (path: string): string[] =>
  statSync(path).isDirectory() ? readdirSync(path, { recursive: true, encoding: 'utf8' }) : [];

interface Finding {
  readonly check: string;
  readonly status: string;
  readonly message: string;
  readonly fix?: string;
}

async function doctor(app: string, more: Record<string, string> = {}): Promise<readonly Finding[]> {
  const { stdout } = await runFw(['doctor', '--json'], { cwd: app, env: { ...env, ...more }, binary });
  return (JSON.parse(stdout) as { findings: readonly Finding[] }).findings;
}

describe.each(['basic', 'api-only', 'rpc', 'fullstack', 'production'])(
  'an app of the template %s',
  (template) => {
    test('is listed and examined without any effect', async () => {
      const app = appOf(template);
      const before = filesOf(app);
      // Whoever connects is counted: production would reach Redis and PostgreSQL at their addresses.
      let connections = 0;
      const server = createServer((socket) => {
        connections += 1;
        socket.destroy();
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const { port } = server.address() as { port: number };
      const more =
        template === 'production'
          ? {
              DATABASE_URL: `postgres://postgres@127.0.0.1:${port}/none`,
              REDIS_URL: `redis://127.0.0.1:${port}`,
              METRICS_PORT: String(await freePort()),
              WORKERS: '2',
            }
          : {};
      const { exitCode, stdout, stderr } = await runFw(['routes', '--json'], {
        cwd: app,
        env: { ...env, ...more },
        binary,
      });
      expect([exitCode, stderr], stdout).toEqual([0, '']);
      expect(JSON.parse(stdout).length).toBeGreaterThan(0);
      const findings = await doctor(app, more);
      expect(findings.filter(({ check }) => check === 'start')).toEqual([]);
      // The packages of its page are not in the checkout, so that doctor does not start it; routes did.
      if (template !== 'fullstack')
        expect(findings.find(({ check }) => check === 'routes')?.status).toBe('ok');
      expect(connections).toBe(0);
      expect(filesOf(app)).toEqual(before);
      server.close();
    });
  },
);

// fw doctor would call another one out of date. To write them again: fw generate in the folder of the template.
test.each(['rpc', 'fullstack'])(
  'the template %s has the client that fw generate writes',
  async (template) => {
    const checked = await runFw(['generate', '--check'], { cwd: appOf(template), env, binary });
    expect(checked).toMatchObject({ exitCode: 0, stderr: '' });
    expect(checked.stdout).toContain('up to date');
  },
);

describe('an app with effects at its import', () => {
  let app: string;
  const server = createServer((socket) => socket.destroy());
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    app = appOf('basic');
    const { port } = server.address() as { port: number };
    writeFileSync(
      join(app, 'src/main.ts'),
      `import { appendFileSync } from 'node:fs';
import { connect } from 'node:net';
import { App } from 'fw';
import { kyselyFromUrl } from 'fw/kysely';
import { sql } from 'kysely';

appendFileSync('started.log', 'started');
const db = await kyselyFromUrl(':memory:');
await sql\`select 1\`.execute(db);
setInterval(() => {}, 1000);
connect(${port}, '127.0.0.1').on('error', () => {});
await new App().get('/', () => 'x').listen(3000);
appendFileSync('behind.log', 'behind');
`,
    );
  });
  afterAll(() => server.close());

  test('is named with each effect and its place, and goes no further than listen', async () => {
    const [finding, ...others] = (await doctor(app)).filter(({ check }) => check === 'start');
    expect(others).toEqual([]);
    expect(finding?.status).toBe('warning');
    for (const text of [
      'a change of started.log (src/main.ts:7:',
      'a query of the database (src/main.ts:9:',
      'a timer that runs (src/main.ts:10:',
      'a connection to a server (src/main.ts:11:',
    ]) {
      expect(finding?.message).toContain(text);
    }
    expect(finding?.fix).toBe(
      'move it into app.onStart(() => …), which runs only when the app begins to listen',
    );
    expect(existsSync(join(app, 'behind.log'))).toBe(false);
    expect(readFileSync(join(app, 'started.log'), 'utf8')).toBe('started');
  });
});
