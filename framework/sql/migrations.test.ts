// Migrations of both toolkits on every database, by two processes at once.
import { type ChildProcess, fork } from 'node:child_process';
import diagnostics from 'node:diagnostics_channel';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Kysely } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { databaseKinds, type TestDatabase } from '../conformance/databases.js';
import { toolkits } from '../conformance/sql-toolkits.js';
import { subscribe, type TracingEvent } from '../tracing/index.js';
import { kyselyFromUrl, migrateToLatest } from './kysely/index.js';

const source = fileURLToPath(new URL('../conformance/migrate-process.ts', import.meta.url));
/** Built once, because a loader takes longer to start than the migrations; where it finds the packages. */
const script = fileURLToPath(
  new URL(`../../node_modules/.cache/fw-migrate-process-${process.pid}.mjs`, import.meta.url),
);

beforeAll(async () => {
  const options = { bundle: true, packages: 'external', platform: 'node', format: 'esm' } as const;
  await build({ ...options, entryPoints: [source], outfile: script });
});

afterAll(() => rmSync(script));

/** One slow statement for each database, which adds a row. */
const SLOW = {
  postgres: 'insert into steps select 2 from pg_sleep(0.3)',
  mysql: 'insert into steps select 2 from (select sleep(0.3)) as slept',
  sqlite: `insert into steps with recursive n(x) as (select 1 union all select x + 1 from n where x < 900000)
    select 2 from (select count(*) from n)`,
};

function writeMigrations(folder: string, engine: TestDatabase['engine']): void {
  const statements = ['create table steps (step integer)', SLOW[engine]];
  mkdirSync(join(folder, 'meta'), { recursive: true });
  const entries = statements.map((_, idx) => ({ idx, when: idx + 1, tag: `000${idx}`, breakpoints: true }));
  writeFileSync(join(folder, 'meta/_journal.json'), JSON.stringify({ version: '7', entries }));
  for (const [index, text] of statements.entries()) writeFileSync(join(folder, `000${index}.sql`), text);
}

/** Runs the processes at once, and returns what each of them ran. */
async function migrateAtOnce(toolkit: string, url: string, folder: string, count = 3): Promise<unknown[]> {
  const processes = Array.from({ length: count }, () =>
    fork(script, [toolkit, url, folder], { execArgv: [], stdio: ['ignore', 2, 2, 'ipc'] }),
  );
  const next = async (child: ChildProcess): Promise<unknown> => {
    const [answer] = await Promise.race([once(child, 'message'), once(child, 'exit')]);
    return answer;
  };
  expect(await Promise.all(processes.map(next))).toEqual(processes.map(() => 'ready'));
  const ended = processes.map(next);
  for (const child of processes) child.send('go');
  return Promise.all(ended);
}

for (const kind of databaseKinds) {
  describe.skipIf(kind.missing !== undefined)(kind.engine, () => {
    let database: TestDatabase;
    let folder: string;
    beforeEach(async () => {
      database = await kind.create();
      folder = mkdtempSync(join(tmpdir(), 'fw-migrations-'));
      writeMigrations(folder, kind.engine);
    });
    afterEach(async () => {
      await database.drop();
      rmSync(folder, { recursive: true });
    });

    it.each(toolkits)('runs each migration once, if processes start at once ($name)', async ({ name }) => {
      const ran = await migrateAtOnce(name, database.url, folder);
      expect(ran.flat().sort()).toEqual(name === 'kysely' ? ['1-create', '2-fill'] : ['0000', '0001']);
      const db = await kyselyFromUrl<{ steps: { step: number } }>(database.url);
      expect(await db.selectFrom('steps').selectAll().execute()).toEqual([{ step: 2 }]);
      expect(await migrateAtOnce(name, database.url, folder, 1)).toEqual([[]]);
      expect(await db.selectFrom('steps').selectAll().execute()).toEqual([{ step: 2 }]);
      await db.destroy();
    });

    it('asks little where all have run', async () => {
      const db = await kyselyFromUrl(database.url);
      const step = { async up() {} };
      expect(await migrateToLatest(db, { migrations: { a: step, b: step } })).toEqual(['a', 'b']);
      vi.stubEnv('NODE_ENV', 'production');
      const asked: string[] = [];
      const hear = (message: unknown) => asked.push((message as { sql: string }).sql);
      diagnostics.subscribe('tracing:fw:query:start', hear);
      expect(await migrateToLatest(db, { migrations: { b: step, a: step } })).toEqual([]);
      diagnostics.unsubscribe('tracing:fw:query:start', hear);
      vi.unstubAllEnvs();
      expect(asked).toHaveLength(kind.engine === 'mysql' ? 3 : 1);
      await db.destroy();
    });

    it.skipIf(kind.engine === 'mysql')(
      'leaves nothing of migrations behind, one of which fails',
      async () => {
        const db = await kyselyFromUrl<Record<string, Record<string, unknown>>>(database.url);
        const create = (name: string) => ({
          up: (on: typeof db) => on.schema.createTable(name).addColumn('id', 'integer').execute(),
        });
        const half = {
          async up(on: typeof db) {
            await create('half').up(on);
            throw new Error('broken');
          },
        };
        const migrations = { '1-whole': create('whole'), '2-half': half };
        await expect(migrateToLatest(db, { migrations })).rejects.toThrow(
          "the migration '2-half' failed: broken",
        );
        for (const name of ['whole', 'half']) {
          await expect(db.selectFrom(name).selectAll().execute()).rejects.toThrow(name);
        }
        const repaired = { ...migrations, '2-half': create('half') };
        expect(await migrateToLatest(db, { migrations: repaired })).toEqual(['1-whole', '2-half']);
        await db.destroy();
      },
    );

    it('names the migration that fails, and frees the lock', async () => {
      const db = await kyselyFromUrl(database.url);
      const bad = { up: () => Promise.reject(new Error('no such thing')) };
      await expect(migrateToLatest(db, { migrations: { '1-bad': bad } })).rejects.toThrow(
        "the migration '1-bad' failed: no such thing",
      );
      expect(await migrateToLatest(db, { migrations: { '1-good': { async up() {} } } })).toEqual(['1-good']);
      await db.destroy();
    });
  });
}

it('does not wait for another process without an end, nor leave a lock in memory', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'fw-migrations-'));
  const url = `file:${join(directory, 'a b#c.db')}`;
  const [one, other] = [await kyselyFromUrl(url), await kyselyFromUrl(url)];
  let goOn = () => {};
  const held = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  let isIn = () => {};
  const entered = new Promise<void>((resolve) => {
    isIn = resolve;
  });
  const up = () => {
    isIn();
    return held;
  };
  const first = migrateToLatest(one, { migrations: { a: { up } } });
  await entered;
  await expect(migrateToLatest(other, { migrations: { a: { up } }, lockTimeoutMs: 60 })).rejects.toThrow(
    'another process has migrated the database for 60 ms',
  );
  goOn();
  expect(await first).toEqual(['a']);
  await Promise.all([one.destroy(), other.destroy()]);
  expect(existsSync(join(directory, 'a b#c.db'))).toBe(true);
  rmSync(directory, { recursive: true });
  const memory = await kyselyFromUrl(':memory:');
  expect(await migrateToLatest(memory, { migrations: { a: { async up() {} } } })).toEqual(['a']);
  await memory.destroy();
});

it('tells subscribers of each migration that has run, once', async () => {
  const events: TracingEvent[] = [];
  const end = subscribe((event) => void events.push(event));
  const db = await kyselyFromUrl(':memory:');
  const migrations = { a: { async up() {} }, b: { async up() {} } };
  await migrateToLatest(db, { migrations });
  await migrateToLatest(db, { migrations });
  end();
  await db.destroy();
  expect(events.map(({ level, message, fields }) => [level, message, fields])).toEqual([
    ['info', 'migrated the database: a', { migration: 'a' }],
    ['info', 'migrated the database: b', { migration: 'b' }],
  ]);
});

it('refuses a migration whose query nothing runs, instead of noting it as done', async () => {
  const db = await kyselyFromUrl<Record<string, { id: number }>>(':memory:');
  const table = (on: Kysely<Record<string, { id: number }>>) =>
    on.schema.createTable('a').addColumn('id', 'integer');
  await expect(migrateToLatest(db, { migrations: { a: { up: table as never } } })).rejects.toThrow(
    "the migration 'a' failed: up returned a query that was not run; end it with .execute()",
  );
  expect(await migrateToLatest(db, { migrations: { a: { up: (on) => table(on).execute() } } })).toEqual([
    'a',
  ]);
  expect(await db.selectFrom('a').selectAll().execute()).toEqual([]);
  await db.destroy();
});

it.each(['', 'a\nb', 'x'.repeat(256), '\ud800'])('refuses the name %j of a migration', async (name) => {
  const db = await kyselyFromUrl(':memory:');
  await expect(migrateToLatest(db, { migrations: { [name]: { async up() {} } } })).rejects.toThrow(
    /^migrations: the name '.*' cannot be noted; give 1 to 255 characters/,
  );
  await db.destroy();
});
