// The files of SQLite that fw/kysely and fw/drizzle make and open.
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { integer, sqliteTable } from 'drizzle-orm/sqlite-core';
import { CompiledQuery } from 'kysely';
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
