// A process that is killed while it migrates: nothing is half applied without a message that says so.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseKinds, type TestDatabase } from '../../conformance/databases.js';
import { type Branch, bookMakers, writeFolder } from '../../conformance/migration-books.js';

const source = fileURLToPath(new URL('../../conformance/killed-migration-process.ts', import.meta.url));
const script = fileURLToPath(
  new URL(`../../../node_modules/.cache/fw-killed-migration-${process.pid}.mjs`, import.meta.url),
);

beforeAll(async () => {
  const options = { bundle: true, packages: 'external', platform: 'node', format: 'esm' } as const;
  await build({ ...options, entryPoints: [source], outfile: script });
});
afterAll(() => rmSync(script));

const names = ['20260101090000_one', '20260201090000_two'];
const up = (index: number): string[] => [
  `create table killed_${index} (step integer)`,
  ...[0, 1, 2].map((step) => `insert into killed_${index} values (${step})`),
];
const branch: Branch = Object.fromEntries(names.map((name, index) => [name, { up: up(index) }]));

/**
 * Before the first statement and after it, after the last one, the same of the second migration, and in the middle of
 * it; in twentieths of a second for Drizzle, whose statements are not awaited one by one.
 */
const MOMENTS = [
  [0, 1],
  [4, 5],
  [7, 9],
];

/** About a twentieth of a second each, so that a process is killed between two. */
const SLOW = {
  postgres: 'select pg_sleep(0.05)',
  mysql: 'do sleep(0.05)',
  sqlite: `with recursive n(x) as (select 1 union all select x + 1 from n where x < 150000) select count(*) from n`,
};

/** Ends when the process was killed at that moment. */
async function killedAt(moment: number, toolkit: string, url: string, folder: string): Promise<void> {
  const child = fork(script, [toolkit, url, folder], { execArgv: [], stdio: ['ignore', 2, 2, 'ipc'] });
  const exited = once(child, 'exit');
  for (let at = 0; ; at++) {
    await once(child, 'message');
    if (toolkit === 'drizzle') await wait(50 + moment * 50);
    if (toolkit === 'drizzle' || at === moment) break;
    child.send('go');
  }
  child.kill('SIGKILL');
  await exited;
}

for (const kind of databaseKinds) {
  describe.skipIf(kind.missing !== undefined)(kind.engine, () => {
    it.each(bookMakers)('is found whole, or says where it was interrupted ($name)', async (maker) => {
      const folder = mkdtempSync(join(tmpdir(), 'fw-killed-'));
      const slow = names.map((name, index): [string, { up: string[] }] => [
        name,
        { up: up(index).flatMap((statement) => [statement, SLOW[kind.engine]]) },
      ]);
      writeFolder(folder, Object.fromEntries(slow));
      const own = maker.name === 'drizzle' ? Object.fromEntries(slow) : branch;
      const seen = new Set<string>();
      const expectWhole = async (moment: number): Promise<void> => {
        const database: TestDatabase = await kind.create();
        await killedAt(moment, maker.name, database.url, folder);
        const book = await maker.open(database.url);
        const rows = (index: number): Promise<number> =>
          book.run(`select * from killed_${index}`).then(
            (found) => found.length,
            () => -1,
          );
        // The server may still be about to notice that the process has gone.
        for (let tries = 0; tries < 20 && kind.engine === 'postgres'; tries++) {
          if ((await database.connections()) <= 1) break;
          await wait(50);
        }
        const all = book.with(own);
        const states = (await all.status()).map(({ state }) => state);
        seen.add(states.join());
        for (const [index, state] of states.entries()) {
          if (state === 'pending') expect([moment, await rows(index)]).toEqual([moment, -1]);
          if (state === 'applied') expect([moment, await rows(index)]).toEqual([moment, 3]);
        }
        if (kind.engine !== 'mysql') {
          expect(states).not.toContain('interrupted');
          await all.up();
          expect([await rows(0), await rows(1)]).toEqual([3, 3]);
        } else if (states.includes('interrupted')) {
          const name = names[states.indexOf('interrupted')] ?? '';
          await expect(all.up()).rejects.toThrow(`the migration '${name}' was interrupted`);
          await book.run(`drop table if exists killed_${names.indexOf(name)}`);
          await all.resolve(name, 'reverted');
          await all.up();
          expect([await rows(0), await rows(1)]).toEqual([3, 3]);
        }
        await book.close();
        await database.drop();
      };
      // Each with a database of its own, and most of the time waiting for it.
      for (const pair of MOMENTS) await Promise.all(pair.map(expectWhole));
      const hasInterrupted = (): boolean => [...seen].some((states) => states.includes('interrupted'));
      // On a busy machine, the first statement comes later.
      for (let moment = 10; kind.engine === 'mysql' && !hasInterrupted() && moment < 60; moment++)
        await expectWhole(moment);
      if (kind.engine === 'mysql') expect(hasInterrupted()).toBe(true);
      rmSync(folder, { recursive: true });
    });
  });
}
