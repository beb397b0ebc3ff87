// Migrations under fw dev, with the packed package: a save runs none, the terminal and a page say what is to be done, and a
// button does it. In production, the app refuses to start until it is told to run them.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import axe from 'axe-core';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser, noBrowser } from './browser.js';
import { type DevSession, save, startDev } from './dev-session.js';
import { freePort } from './free-port.js';
import { checkout, installFw, run, temporaryDirectory } from './packed.js';

const main = `
import { App } from 'fw';
import { migrations } from 'fw/kysely';
import { db } from './db.js';
import { all } from './migrations.js';

let started = 0;
const app = new App()
  .withKysely(db)
  .withMigrations(migrations(db, all))
  .onStart(async () => { started = (await db.selectFrom('users').selectAll().execute()).length + 1; })
  .get('/', (ctx) => ctx.json({ started }))
  .get('/tasks', (ctx) => ctx.db().selectFrom('tasks').selectAll().execute());
await app.listen(Number(process.env.PORT));
console.log('listening');
`;
const files: Readonly<Record<string, string>> = {
  'src/main.js': main,
  'src/db.js':
    "import { kyselyFromUrl } from 'fw/kysely';\nexport const db = await kyselyFromUrl('file:app.db');\n",
  'src/migrate.js': `import { migrationCommand, migrations } from 'fw/kysely';
import { db } from './db.js';
import { all } from './migrations.js';
process.exitCode = await migrationCommand(migrations(db, all), process.argv.slice(2));
await db.destroy();
`,
};
const USERS =
  "'1_users': { up: (db) => db.schema.createTable('users').addColumn('id', 'integer').execute() },";
const TASKS = (body: string) => `'2_tasks': { async up(db) { ${body} } },`;
const CREATE_TASKS = "await db.schema.createTable('tasks').addColumn('id', 'integer').execute();";
const source = (...entries: string[]) => `export const all = {\n${entries.join('\n')}\n};\n`;

let app: string;
let list: string;
const servers: ChildProcess[] = [];

function makeApp(): string {
  const folder = temporaryDirectory();
  installFw(folder);
  for (const name of ['esbuild', 'kysely', 'libsql', '@libsql', '@neon-rs', 'detect-libc']) {
    symlinkSync(join(checkout, 'node_modules', name), join(folder, 'node_modules', name));
  }
  const manifest = join(folder, 'package.json');
  const own = JSON.parse(readFileSync(manifest, 'utf8')) as object;
  writeFileSync(manifest, JSON.stringify({ ...own, type: 'module' }));
  mkdirSync(join(folder, 'src'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  writeFileSync(join(folder, 'src/migrations.js'), source(USERS));
  return folder;
}

const command = async (...words: string[]): Promise<string> => {
  const { stdout, stderr } = await run(process.execPath, ['src/migrate.js', ...words], { cwd: app });
  return `${stdout}${stderr}`;
};

beforeAll(() => {
  app = makeApp();
  list = join(app, 'src/migrations.js');
});

describe('under fw dev', () => {
  let session: DevSession;
  let browser: Browser | undefined;
  beforeAll(async () => {
    session = await startDev({ app });
  });
  afterAll(async () => {
    await browser?.close();
    if (session?.child.exitCode === null) await session.end('SIGKILL');
  });

  const ask = async (path: string, init?: RequestInit): Promise<{ status: number; body: unknown }> => {
    const answer = await fetch(`http://127.0.0.1:${session.port}${path}`, init);
    return { status: answer.status, body: await answer.json() };
  };
  const saveList = async (...entries: string[]): Promise<number> => {
    const from = save(session, list, source(...entries));
    await session.says(/ready in/, from);
    return from;
  };

  test('the first start on an empty database runs all, and what is behind them', async () => {
    expect(await ask('/')).toEqual({ status: 200, body: { started: 1 } });
    expect(await command('status')).toMatch(/^applied {6}1_users/);
  });

  test('a save runs none: the API says why, the terminal what to do, once', async () => {
    const from = await saveList(USERS, TASKS(''));
    await session.says(
      /migrations: a migration has not run, so the app answers 503: 2_tasks\n.*run npm run migrate/,
      from,
    );
    expect(await ask('/')).toEqual({
      status: 503,
      body: {
        error: 'ServiceUnavailable',
        message: 'a migration has not run: 2_tasks',
        stack: expect.anything(),
      },
    });
    expect(await command('status')).toMatch(/^pending {6}2_tasks/m);
    // The same again: filled in before it has run.
    const again = await saveList(USERS, TASKS(CREATE_TASKS));
    expect((await ask('/')).status).toBe(503);
    expect(session.printed().slice(again)).not.toContain('has not run, so');
  });

  test.skipIf(noBrowser !== undefined)('a browser gets a page with a button, which runs them', async () => {
    browser = await launchBrowser();
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${session.port}/tasks`);
    await page.getByRole('main').waitFor();
    expect(await page.getByRole('list', { name: 'Migrations' }).innerText()).toBe('2_tasks');
    expect(await page.getByRole('main').innerText()).toContain('Database: file:app.db');
    await page.evaluate(axe.source);
    const violations = await page.evaluate(async () => {
      const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run();
      return violations.map(({ id }) => id);
    });
    expect(violations).toEqual([]);
    const from = session.printed().length;
    await page.getByRole('button', { name: 'Run it' }).click();
    await page.getByText('[]').waitFor();
    await session.says(/migrated: 2_tasks/, from);
    expect(await ask('/')).toEqual({ status: 200, body: { started: 1 } });
  });

  test('strangers run none, nor pages of other sites', async () => {
    const json = { 'content-type': 'application/json' };
    for (const headers of [
      { ...json, origin: 'https://evil.example' },
      { ...json, 'x-forwarded-for': '203.0.113.7' },
      { 'content-type': 'text/plain' },
    ]) {
      const { status } = await ask('/_fw/migrate', { method: 'POST', headers, body: '{}' });
      expect([400, 403, 415]).toContain(status);
    }
  });

  test('names one that fails, and the app waits on', async () => {
    const from = await saveList(
      USERS,
      TASKS(CREATE_TASKS),
      "'3_bad': { up: (db) => db.schema.dropTable('nowhere').execute() },",
    );
    const { status, body } = await ask('/_fw/migrate', {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: `http://127.0.0.1:${session.port}` },
      body: '{}',
    });
    expect([status, body]).toEqual([
      500,
      { error: 'MigrationFailed', message: "the migration '3_bad' failed: no such table: nowhere" },
    ]);
    await session.says(/a migration failed\n[\s\S]*3_bad/, from);
    expect((await ask('/')).status).toBe(503);
  });

  test('finds that another terminal has run them', async () => {
    await saveList(
      USERS,
      TASKS(CREATE_TASKS),
      "'3_notes': { up: (db) => db.schema.createTable('notes').addColumn('id', 'integer').execute() },",
    );
    expect((await ask('/')).status).toBe(503);
    expect(await command('up')).toBe('ran: 3_notes\n');
    await expect.poll(async () => (await ask('/')).status, { timeout: 60_000 }).toBe(200);
  });

  test('names one that was edited, or is missing, and the app answers on', async () => {
    const from = await saveList(USERS.replace("'integer'", "'bigint'"), TASKS(CREATE_TASKS));
    await session.says(
      /the migration 1_users was edited after it ran\n.*keep the database as it is: npm run migrate keep/,
      from,
    );
    await session.says(
      /the migration 3_notes has run, and this app does not have it; is it of another branch\?/,
      from,
    );
    expect((await ask('/')).status).toBe(200);
    expect(await command('keep')).toBe('kept as it is: 1_users\nkept as it is: 3_notes\n');
    const kept = await saveList(USERS.replace("'integer'", "'bigint'"), TASKS(CREATE_TASKS), '');
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(session.printed().slice(kept)).not.toContain('migrations:');
  });

  test('resets a database of this machine, and says which it would', async () => {
    expect(await command('reset')).toBe(
      'error: nobody can be asked here; to remove all tables and rows of file:app.db, run npm run migrate reset yes\n',
    );
    expect(await command('reset', 'yes')).toBe(
      'ran on the empty database: 1_users\nran on the empty database: 2_tasks\n',
    );
    expect(await ask('/tasks')).toEqual({ status: 200, body: [] });
  });
});

describe('in production', () => {
  const start = async (
    env: Record<string, string>,
  ): Promise<{ code: number | undefined; printed: string }> => {
    const server = spawn(process.execPath, ['src/main.js'], {
      cwd: app,
      env: { ...process.env, NODE_ENV: 'production', PORT: String(await freePort()), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    servers.push(server);
    let printed = '';
    const listening = new Promise<undefined>((resolve) => {
      for (const stream of [server.stdout, server.stderr]) {
        stream.setEncoding('utf8').on('data', (text: string) => {
          printed += text;
          if (text.includes('listening')) resolve(undefined);
        });
      }
    });
    const code = await Promise.race([once(server, 'close').then(([code]) => code as number), listening]);
    return { code, printed };
  };
  beforeAll(() => {
    app = makeApp();
    rmSync(join(app, 'app.db'), { force: true });
  });
  afterAll(() => {
    for (const server of servers) server.kill('SIGKILL');
  });

  test('does not start while one has not run, and names it', async () => {
    const { code, printed } = await start({});
    expect(code).toBe(1);
    expect(printed).toContain(
      'Error: a migration has not run: 1_users in file:app.db; run them before the app starts, such as by node dist/migrate.js, or start it with MIGRATE=true',
    );
    const other = await start({ MIGRATE: 'yes' });
    expect(other.printed).toContain("the environment variable MIGRATE is 'yes'; give true or false");
  });

  test('runs them if it is told to, or by the command before', async () => {
    expect((await start({ MIGRATE: 'true' })).code).toBeUndefined();
    expect((await start({})).code).toBeUndefined();
    app = makeApp();
    expect(await command()).toBe('ran: 1_users\n');
    expect((await start({})).code).toBeUndefined();
  });
});
