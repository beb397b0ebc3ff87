// Empty databases for tests, on the servers of this machine and in memory.
import { CompiledQuery } from 'kysely';
import { describe, expect, it } from 'vitest';
import { databaseKinds } from '../conformance/databases.js';
import { kyselyFromUrl } from '../sql/kysely/index.js';
import { testDatabase } from './index.js';

const servers = {
  postgres: 'postgres://postgres@127.0.0.1:5432/postgres',
  mysql: 'mysql://root@127.0.0.1:3306/test',
};

/** Runs one statement in a database. */
async function run(url: string, statement: string): Promise<unknown[]> {
  const db = await kyselyFromUrl(url);
  try {
    return (await db.executeQuery(CompiledQuery.raw(statement))).rows;
  } finally {
    await db.destroy();
  }
}

for (const { engine, missing } of databaseKinds) {
  if (engine === 'sqlite') continue;
  const server = servers[engine];

  describe.skipIf(missing)(`a test database of ${engine}`, () => {
    it('is empty, and is seen by nobody else', async () => {
      await using one = await testDatabase(server);
      await using other = await testDatabase(server);
      expect(one.url).not.toBe(other.url);
      await run(one.url, 'create table notes (id integer)');
      await run(other.url, 'create table notes (id integer)');
      await run(one.url, 'insert into notes values (1)');
      expect(await run(other.url, 'select * from notes')).toEqual([]);
    });

    it('is gone after drop(), also with an open connection, and once is enough', async () => {
      const database = await testDatabase(server);
      const db = await kyselyFromUrl(database.url);
      await db.executeQuery(CompiledQuery.raw('select 1'));
      await database.drop();
      await database.drop();
      await database[Symbol.asyncDispose]();
      await db.destroy();
      await expect(run(database.url, 'select 1')).rejects.toThrow(/test_[0-9a-f]{32}/);
    });

    it('is not made by a server that is away, which is named without its password', async () => {
      const away = Object.assign(new URL(server), { username: 'ada', password: 'secret', port: '1' });
      const made = testDatabase(away.href);
      await expect(made).rejects.toThrow(
        /^testDatabase: the server 127\.0\.0\.1:1 did not make or drop a test database: .*ECONNREFUSED/,
      );
      await expect(made).rejects.not.toThrow(/secret|ada/);
    });
  });
}

it('is in memory without a server', async () => {
  for (const server of [undefined, '']) {
    await using database = await testDatabase(server);
    expect(database.url).toBe(':memory:');
    expect(await run(database.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  }
});

it('takes no URL of a file or of another kind', async () => {
  await expect(testDatabase('file:app.db')).rejects.toThrow(
    'testDatabase: got the URL of a file; give that of a server, such as postgres://user:password@host/database, or nothing for SQLite in memory',
  );
  await expect(testDatabase('mongodb://localhost')).rejects.toThrow(
    "testDatabase: got a URL of the scheme 'mongodb:'",
  );
});
