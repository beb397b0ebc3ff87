// The files of SQLite that fw/kysely and fw/drizzle make and open.
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { integer, sqliteTable } from 'drizzle-orm/sqlite-core';
import { CompiledQuery } from 'kysely';
import Database from 'libsql';
import { afterAll, describe, expect, it } from 'vitest';
import { drizzleFromUrl } from './drizzle/index.js';
import { kyselyFromUrl } from './kysely/index.js';

describe.skipIf(process.platform !== 'linux')('a file of SQLite that cannot be opened', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fw-sqlite-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const asked = {
    kyselyFromUrl: async (url: string) => {
      const db = await kyselyFromUrl(url);
      await db.executeQuery(CompiledQuery.raw('select 1'));
    },
    drizzleFromUrl: (url: string) => drizzleFromUrl(url, { schema: {} }),
  };

  it.each(Object.entries(asked))('is named with the remedy by %s', async (_, ask) => {
    await expect(ask(`file:${folder}/none/x%20y.db`)).rejects.toThrow(
      `the database file ${folder}/none/x y.db cannot be opened: there is no folder ${folder}/none; create it, or name another file in the URL`,
    );
    await expect(ask(`file:${folder}`)).rejects.toThrow(
      `the database file ${folder} cannot be opened: it is a folder; name a file in the URL`,
    );
    await expect(ask('file:/proc/version')).rejects.toThrow(
      'the database file /proc/version cannot be opened: let this user read and write it, and make files in its folder',
    );
  });
});

// On Windows, the folder of a file that libsql has closed cannot be removed.
describe.skipIf(process.platform === 'win32')('a database in a file', () => {
  const ways: Record<
    string,
    (url: string) => Promise<{ run(sql: string): Promise<unknown>; close(): unknown }>
  > = {
    async kyselyFromUrl(url) {
      const db = await kyselyFromUrl(url);
      return { run: (text) => db.executeQuery(CompiledQuery.raw(text)), close: () => db.destroy() };
    },
    async drizzleFromUrl(url) {
      const db = await drizzleFromUrl(url, { schema: { t: sqliteTable('t', { x: integer() }) } });
      return { run: async (text) => db.run(text), close: () => db.$client.close() };
    },
  };
  const folder = mkdtempSync(join(tmpdir(), 'fw-sqlite-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each(Object.entries(ways))(
    'is opened once another process has ended its work (%s)',
    async (name, open) => {
      const file = join(folder, `${name}.db`);
      const other = new Database(file);
      other.exec('create table t (x integer)');
      // The change of the mode of its journal fails at once while somebody writes.
      other.exec('begin immediate');
      const opening = open(`file:${file}`).then(async (db) => {
        await db.run('insert into t values (1)');
        return db;
      });
      await new Promise((resolve) => setTimeout(resolve, 200));
      other.exec('commit');
      const db = await opening;
      expect(other.prepare('select x from t').all()).toEqual([{ x: 1 }]);
      await db.close();
      other.close();
    },
  );

  it.each(Object.entries(ways))(
    'may have any name, and refuses rows without their parent (%s)',
    async (name, open) => {
      const file = join(folder, `${name} #1 %41 ä?.db`);
      const db = await open(`file:${encodeURIComponent(file)}`);
      await db.run('create table parents (id integer primary key)');
      await db.run('create table children (id integer references parents (id))');
      await expect(db.run('insert into children values (1)')).rejects.toThrow();
      await db.close();
      expect(readdirSync(folder)).toContain(basename(file));
    },
  );
});

describe.skipIf(process.platform === 'win32').each(['kyselyFromUrl', 'drizzleFromUrl'] as const)(
  'a file that %s makes',
  (who) => {
    const made: Record<typeof who, (url: string) => Promise<() => unknown>> = {
      async kyselyFromUrl(url) {
        const db = await kyselyFromUrl(url);
        await db.executeQuery(CompiledQuery.raw('create table t (x integer)'));
        return () => db.destroy();
      },
      async drizzleFromUrl(url) {
        const db = await drizzleFromUrl(url, { schema: { t: sqliteTable('t', { x: integer() }) } });
        await db.run('create table t (x integer)');
        return () => db.$client.close();
      },
    };
    const modesIn = (folder: string) =>
      Object.fromEntries(
        readdirSync(folder).map((name) => [name, statSync(join(folder, name)).mode & 0o777]),
      );

    it('can be read by its owner alone, with its journals', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'fw-sqlite-'));
      try {
        const close = await made[who](`file:${folder}/x%20y.db?mode=rwc`);
        expect(modesIn(folder)).toEqual({ 'x y.db': 0o600, 'x y.db-shm': 0o600, 'x y.db-wal': 0o600 });
        await close();
      } finally {
        rmSync(folder, { recursive: true });
      }
    });

    it('keeps its mode if there is one', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'fw-sqlite-'));
      try {
        writeFileSync(join(folder, 'a.db'), '');
        chmodSync(join(folder, 'a.db'), 0o640);
        const close = await made[who](`file:${folder}/a.db`);
        expect(modesIn(folder)['a.db']).toBe(0o640);
        await close();
      } finally {
        rmSync(folder, { recursive: true });
      }
    });
  },
);
