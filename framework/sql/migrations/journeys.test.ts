// What happens to the migrations of a team: both toolkits, on every database.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { databaseKinds, type TestDatabase } from '../../conformance/databases.js';
import { type Branch, bookMakers, type MigrationBook } from '../../conformance/migration-books.js';
import type { Migrations } from './migrations.js';

const table = (name: string) => ({
  up: [`create table ${name} (id integer)`],
  down: [`drop table ${name}`],
});
const users = { '20260101090000_users': table('users') };
const tasks = { '20260301090000_tasks': table('tasks') };

const statesOf = async (all: Migrations) =>
  (await all.status()).map(({ name, state, isLate }) => [
    name.slice(15),
    isLate === true ? `${state}, late` : state,
  ]);

for (const kind of databaseKinds) {
  describe.skipIf(kind.missing !== undefined)(kind.engine, () => {
    describe.each(bookMakers)('$name', (maker) => {
      let database: TestDatabase;
      let book: MigrationBook;
      beforeEach(async () => {
        database = await kind.create();
        book = await maker.open(database.url);
      });
      afterEach(async () => {
        vi.unstubAllEnvs();
        await book.close();
        await database.drop();
      });
      const exists = (name: string): Promise<boolean> =>
        book.run(`select * from ${name}`).then(
          () => true,
          () => false,
        );

      it('gives what has run and what has not, before and after', async () => {
        const all = book.with({ ...users, ...tasks });
        expect(await statesOf(all)).toEqual([
          ['users', 'pending'],
          ['tasks', 'pending'],
        ]);
        expect(await all.pending()).toEqual(['20260101090000_users', '20260301090000_tasks']);
        expect(await all.up(1)).toEqual(['20260101090000_users']);
        expect([await exists('users'), await exists('tasks')]).toEqual([true, false]);
        expect(await all.up()).toEqual(['20260301090000_tasks']);
        expect(await all.up()).toEqual([]);
        expect(await statesOf(all)).toEqual([
          ['users', 'applied'],
          ['tasks', 'applied'],
        ]);
      });

      it('reverts, and goes to one in either direction', async () => {
        const all = book.with({ ...users, ...tasks });
        await all.up();
        expect(await all.down()).toEqual(['20260301090000_tasks']);
        expect([await exists('users'), await exists('tasks')]).toEqual([true, false]);
        expect(await all.to('20260301090000_tasks')).toEqual(['20260301090000_tasks']);
        expect(await all.to('20260101090000_users')).toEqual(['20260301090000_tasks']);
        expect(await all.to('20260101090000_users')).toEqual([]);
        expect(await all.down(5)).toEqual(['20260101090000_users']);
        expect(await all.down()).toEqual([]);
        await expect(all.to('nowhere')).rejects.toThrow(
          "there is no migration 'nowhere'; there are 20260101090000_users, 20260301090000_tasks",
        );
      });

      it('a: says that one was edited after it ran while it was still empty', async () => {
        const empty = book.with({ ...users, '20260301090000_tasks': { up: ['select 1'] } });
        await empty.up();
        const filled = book.with({ ...users, ...tasks });
        expect(await statesOf(filled)).toEqual([
          ['users', 'applied'],
          ['tasks', 'edited'],
        ]);
        // The way on that loses nothing: take it as it is, and write another.
        expect(await filled.keep()).toEqual(['20260301090000_tasks']);
        const another = book.with({ ...users, ...tasks, '20260301090001_tasks': table('tasks') });
        expect(await statesOf(another)).toEqual([
          ['users', 'applied'],
          ['tasks', 'applied'],
          ['tasks', 'pending'],
        ]);
        await another.up();
        expect(await exists('tasks')).toBe(true);
        // The other way on.
        if (maker.name === 'kysely') await expect(filled.down()).rejects.toThrow('does not have it');
        expect(await filled.reset()).toEqual(['20260101090000_users', '20260301090000_tasks']);
        expect(await statesOf(filled)).toEqual([
          ['users', 'applied'],
          ['tasks', 'applied'],
        ]);
        expect(await exists('tasks')).toBe(true);
      });

      it('b: says that one is missing and another pending after a rename', async () => {
        await book.with({ ...users, ...tasks }).up();
        const renamed = book.with({ ...users, '20260302090000_tasks': table('tasks') });
        expect((await renamed.status()).map(({ state }) => state)).toEqual(['applied', 'pending', 'missing']);
        await expect(renamed.up()).rejects.toThrow(/the migration '20260302090000_tasks' failed: .*exists/is);
        await renamed.reset();
        expect(await renamed.pending()).toEqual([]);
      });

      it('c: runs one of a merge with an earlier name in development, and not in production unless allowed', async () => {
        await book.with({ ...users, ...tasks }).up();
        const merged: Branch = { ...users, '20260201090000_notes': table('notes'), ...tasks };
        vi.stubEnv('NODE_ENV', 'production');
        expect(await statesOf(book.with(merged))).toEqual([
          ['users', 'applied'],
          ['notes', 'pending, late'],
          ['tasks', 'applied'],
        ]);
        await expect(book.with(merged).up()).rejects.toThrow(
          "the migration '20260201090000_notes' has not run, and later ones have, as after a merge",
        );
        expect(await exists('notes')).toBe(false);
        vi.stubEnv('NODE_ENV', 'development');
        expect(await book.with(merged).up()).toEqual(['20260201090000_notes']);
        const more: Branch = { ...merged, '20260202090000_tags': table('tags') };
        vi.stubEnv('NODE_ENV', 'production');
        expect(await book.with(more, { allowUnordered: true }).up()).toEqual(['20260202090000_tags']);
        expect([await exists('notes'), await exists('tags')]).toEqual([true, true]);
        expect(await book.with(more).pending()).toEqual([]);
      });

      it('d: goes on with a branch that lacks one that has run, and finds it again on the way back', async () => {
        const feature = book.with({ ...users, ...tasks });
        await feature.up();
        const main = (): Migrations => book.with(users);
        expect((await main().status()).map(({ state }) => state)).toEqual(['applied', 'missing']);
        expect(await main().pending()).toEqual([]);
        expect(await main().up()).toEqual([]);
        expect(await main().to('20260101090000_users')).toEqual([]);
        await expect(main().down(2)).rejects.toThrow('cannot be reverted: this app does not have it');
        const ahead = book.with({ ...users, '20260401090000_notes': table('notes') });
        vi.stubEnv('NODE_ENV', 'production');
        await expect(ahead.up()).rejects.toThrow('has run, and this app does not have it');
        vi.stubEnv('NODE_ENV', 'development');
        expect(await ahead.up()).toEqual(['20260401090000_notes']);
        expect((await ahead.keep()).length).toBe(1);
        expect((await ahead.status()).map(({ state }) => state)).not.toContain('missing');
        expect(await statesOf(book.with({ ...users, ...tasks }))).toContainEqual(['tasks', 'applied']);
      });

      it('e: leaves nothing of a run in the middle of which one fails, or says which one', async () => {
        const broken: Branch = {
          ...users,
          '20260201090000_half': { up: ['create table half (id integer)', 'insert into nowhere values (1)'] },
          ...tasks,
        };
        const all = book.with(broken);
        await expect(all.up()).rejects.toThrow(/^the migration '20260201090000_half' failed: .*nowhere/is);
        if (kind.engine !== 'mysql') {
          expect([await exists('users'), await exists('half'), await exists('tasks')]).toEqual([
            false,
            false,
            false,
          ]);
          expect(await all.pending()).toHaveLength(3);
        } else {
          expect(await statesOf(all)).toEqual([
            ['users', 'applied'],
            ['half', 'interrupted'],
            ['tasks', 'pending'],
          ]);
          await expect(all.up()).rejects.toThrow(
            "the migration '20260201090000_half' was interrupted, and a part of it may have run",
          );
          await expect(all.down()).rejects.toThrow('was interrupted');
          await expect(all.resolve('20260101090000_users', 'applied')).rejects.toThrow(
            'was not interrupted; it is applied',
          );
          await book.run('drop table half');
          await all.resolve('20260201090000_half', 'reverted');
        }
        const repaired = book.with({ ...broken, '20260201090000_half': table('half') });
        await repaired.up();
        expect([await exists('users'), await exists('half'), await exists('tasks')]).toEqual([
          true,
          true,
          true,
        ]);
      });

      it('goes to one of a merge in production if what ran later is reverted, and else reverts nothing', async () => {
        const notes = { '20260201090000_notes': table('notes') };
        await book.with({ ...users, ...tasks }).up();
        vi.stubEnv('NODE_ENV', 'production');
        const merged = book.with({ ...users, ...notes, ...tasks });
        expect(await merged.to('20260201090000_notes')).toEqual([
          '20260301090000_tasks',
          '20260201090000_notes',
        ]);
        await merged.up();
        const again = book.with({ ...users, '20260115090000_tags': table('tags'), ...notes, ...tasks });
        await expect(again.to('20260201090000_notes')).rejects.toThrow(
          "the migration '20260115090000_tags' has not run, and later ones have",
        );
        expect([await exists('tags'), await exists('tasks')]).toEqual([false, true]);
        const without = book.with({ ...users, ...tasks, '20260401090000_tags': table('tags') });
        await expect(without.to('20260401090000_tags')).rejects.toThrow('and this app does not have it');
        expect(await exists('tags')).toBe(false);
      });

      // Drizzle keeps no times.
      it.runIf(maker.name === 'kysely')('reverts what has run last, whatever its name', async () => {
        await book.with({ ...users, ...tasks }).up();
        const merged = book.with({ ...users, '20260201090000_notes': table('notes'), ...tasks });
        await merged.up();
        expect(await merged.down(2)).toEqual(['20260201090000_notes', '20260301090000_tasks']);
      });

      it('reverts one that was edited after it ran, and no other instead', async () => {
        await book.with({ ...users, ...tasks }).up();
        const wider = { ...table('tasks'), up: ['create table tasks (id bigint)'] };
        const edited = book.with({ ...users, '20260301090000_tasks': wider });
        expect(await statesOf(edited)).toContainEqual(['tasks', 'edited']);
        expect(await edited.down()).toEqual(['20260301090000_tasks']);
        expect([await exists('users'), await exists('tasks')]).toEqual([true, false]);
        expect(await edited.up()).toEqual(['20260301090000_tasks']);
        expect(await statesOf(edited)).toContainEqual(['tasks', 'applied']);
      });

      it('lists those that are missing behind the others, in their order', async () => {
        const notes = { '20260201090000_notes': table('notes') };
        await book.with({ ...users, ...tasks }).up();
        await book.with({ ...users, ...notes, ...tasks }).up();
        const other = book.with({ ...users, '20260401090000_tags': table('tags') });
        const shown = await other.status();
        expect(shown.map(({ state }) => state)).toEqual(['applied', 'pending', 'missing', 'missing']);
        const missing = shown.slice(2).map(({ name }) => name);
        expect(missing).toEqual(missing.toSorted());
      });

      it('takes what has run in production as it is, where no notes were kept', async () => {
        vi.stubEnv('NODE_ENV', 'production');
        await book.with({ ...users, ...tasks }).up();
        vi.stubEnv('NODE_ENV', 'development');
        expect(await book.with(users).keep()).toHaveLength(1);
        expect((await book.with(users).status()).map(({ state }) => state)).toEqual(['applied', 'applied']);
      });

      it.runIf(kind.engine === 'mysql')(
        'does not say that all is done while one is interrupted',
        async () => {
          const half = { up: ['create table half (id integer)', 'insert into nowhere values (1)'] };
          const all = book.with({ ...users, '20260201090000_half': half });
          await expect(all.up()).rejects.toThrow("'20260201090000_half' failed");
          await expect(all.up()).rejects.toThrow("'20260201090000_half' was interrupted");
          await expect(all.to('20260201090000_half')).rejects.toThrow(
            "'20260201090000_half' was interrupted",
          );
        },
      );

      it('takes one whose first statement fails for one that has not run', async () => {
        const broken = { up: ['insert into nowhere values (1)'] };
        await expect(book.with({ ...users, '20260201090000_half': broken }).up()).rejects.toThrow('failed');
        const repaired = book.with({ ...users, '20260201090000_half': table('half') });
        expect((await repaired.status()).at(-1)?.state).toBe('pending');
        await repaired.up();
        expect(await exists('half')).toBe(true);
      });

      it('does not revert what has no way back', async () => {
        const all = book.with({ ...users, '20260301090000_tasks': { up: table('tasks').up } });
        await all.up();
        const what = maker.name === 'kysely' ? 'function down' : 'file 20260301090000_tasks.down.sql in ';
        await expect(all.down()).rejects.toThrow(
          `the migration '20260301090000_tasks' cannot be reverted: it has no ${what}`,
        );
        expect(await exists('tasks')).toBe(true);
      });

      it('resets no database in production, and leaves none of its tables elsewhere', async () => {
        const all = book.with(users);
        await all.up();
        await book.run('create table by_hand (id integer)');
        await book.run('create view seen as select * from by_hand');
        vi.stubEnv('NODE_ENV', 'production');
        await expect(all.reset()).rejects.toThrow('a database is not reset in production');
        vi.stubEnv('NODE_ENV', 'development');
        expect(await exists('by_hand')).toBe(true);
        expect(await all.reset()).toEqual(['20260101090000_users']);
        expect([await exists('users'), await exists('by_hand'), await exists('seen')]).toEqual([
          true,
          false,
          false,
        ]);
      });

      it('resets tables that refer to each other, whose references hold again afterwards', async () => {
        const all = book.with({
          '20260101090000_parents': { up: ['create table parents (id integer not null primary key)'] },
          '20260102090000_children': {
            up: ['create table children (parent integer, foreign key (parent) references parents (id))'],
          },
        });
        await all.up();
        await book.run('insert into parents values (1)');
        await book.run('insert into children values (1)');
        expect(await all.reset()).toHaveLength(2);
        expect(await book.run('select * from children')).toEqual([]);
        await expect(book.run('insert into children values (1)')).rejects.toThrow();
        await book.run('insert into parents values (1)');
        await book.run('insert into children values (1)');
      });

      it.runIf(kind.engine === 'postgres')(
        'lets statements wait as long as elsewhere, and the lock alone for its time',
        async () => {
          const seen = "create table seen as select current_setting('lock_timeout') as its";
          await book.with({ '20260101090000_seen': { up: [seen] } }, { lockTimeoutMs: 7_000 }).up();
          const [outside] = await book.run("select current_setting('lock_timeout') as its");
          expect(await book.run('select its from seen')).toEqual([outside]);
        },
      );

      it('makes no table to say that nothing is to be done', async () => {
        expect(await book.with({}).up()).toEqual([]);
        expect(await book.with(users).pending()).toEqual(['20260101090000_users']);
        for (const name of ['kysely_migration', '__drizzle_migrations', 'fw_migrations'])
          expect(await exists(name)).toBe(false);
      });

      it('keeps no notes in production where none are needed', async () => {
        vi.stubEnv('NODE_ENV', 'production');
        await book.with(users).up();
        expect(await exists('fw_migrations')).toBe(kind.engine === 'mysql');
      });

      it('frees its lock at the end of each run', async () => {
        const all = book.with(users, { lockTimeoutMs: 1000 });
        for (let round = 0; round < 10; round++) {
          expect(await all.up()).toHaveLength(1);
          expect(await all.down()).toHaveLength(1);
        }
      });

      it.runIf(kind.engine === 'mysql')('keeps no lock in a connection that stays open', async () => {
        await book.with(users).up();
        // That of Kysely's own Migrator.
        const [lock] = await book.run("select is_used_lock('ea586330-2c93-47c8-908d-981d9d270f9d') as its");
        expect(lock?.its).toBeNull();
      });

      it('takes whole numbers', async () => {
        await expect(book.with(users).up(0)).rejects.toThrow('the number of migrations is 0');
        await expect(book.with(users).down(1.5)).rejects.toThrow('the number of migrations is 1.5');
      });
    });
  });
}
